import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useChangePassword } from "../hooks/useSession";

export function PasswordForm() {
  const change = useChangePassword();
  const form = useForm({
    initialValues: { current_password: "", new_password: "", repeated: "" },
    validate: {
      current_password: (value) => (value ? null : "Enter your current password"),
      new_password: (value) => (value ? null : "Choose a new password"),
      repeated: (value, values) => (value === values.new_password ? null : "The two do not match"),
    },
  });
  const problem = useProblemForm(form);

  const submit = form.onSubmit(async ({ current_password, new_password }) => {
    problem.clear();
    try {
      await change.mutateAsync({ current_password, new_password });
      form.reset();
      notifyDone("Your password has been changed.");
    } catch (error) {
      problem.place(error);
    }
  });

  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={400}>
        <FormProblem>{problem.head}</FormProblem>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps("current_password")}
        />
        <PasswordInput label="New password" autoComplete="new-password" {...form.getInputProps("new_password")} />
        <PasswordInput
          label="New password, once more"
          autoComplete="new-password"
          {...form.getInputProps("repeated")}
        />
        <Group>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
