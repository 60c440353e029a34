import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Workspace } from "@/api/types";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useCan, useRenameWorkspace } from "../hooks/useWorkspace";

export function WorkspaceForm({ workspace }: { workspace: Workspace }) {
  const canManage = useCan()("workspace.team.manage");
  const rename = useRenameWorkspace();
  const form = useForm({
    initialValues: { name: workspace.name },
    validate: { name: (value) => (value.trim() ? null : "A workspace needs a name") },
  });
  const problem = useProblemForm(form);

  const submit = form.onSubmit(async ({ name }) => {
    problem.clear();
    try {
      await rename.mutateAsync(name.trim());
      form.resetDirty();
      notifyDone("The workspace was renamed.");
    } catch (error) {
      problem.place(error);
    }
  });

  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={400}>
        <FormProblem>{problem.head}</FormProblem>
        <TextInput
          label="Name"
          readOnly={!canManage}
          description={canManage ? undefined : "Only an admin or the owner can rename the workspace"}
          {...form.getInputProps("name")}
        />
        <TextInput label="Slug" description="Part of addresses, and fixed" readOnly value={workspace.slug} />
        {canManage && (
          <Group>
            <Button type="submit" loading={rename.isPending} disabled={!form.isDirty()}>
              Save
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
