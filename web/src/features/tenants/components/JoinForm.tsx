import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useJoin } from "../hooks/useSession";

interface JoinFormProps {
  token: string;
  onJoined: () => void;
}

export function JoinForm({ token, onJoined }: JoinFormProps) {
  const join = useJoin();
  const form = useForm({
    initialValues: { name: "", password: "" },
    validate: {
      name: (value) => (value.trim() ? null : "Enter the name your colleagues will see"),
      password: (value) => (value ? null : "Choose a password"),
    },
  });
  const problem = useProblemForm(form);

  const submit = form.onSubmit(async ({ name, password }) => {
    problem.clear();
    try {
      await join.mutateAsync({ token, name: name.trim(), password });
      onJoined();
    } catch (error) {
      problem.place(error);
    }
  });

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <TextInput label="Your name" name="name" autoComplete="name" autoFocus {...form.getInputProps("name")} />
        <PasswordInput
          label="Password"
          description="A long sentence is better than a short riddle."
          name="password"
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
        <Button type="submit" size="md" loading={join.isPending}>
          Join workspace
        </Button>
      </Stack>
    </form>
  );
}
