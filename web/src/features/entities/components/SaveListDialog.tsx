import { Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { toProblem } from "@/api/problem";
import type { ListQuery, SavedList } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { Modal } from "@/ui/Modal";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useSavedListActions } from "../hooks/useSavedLists";

interface SaveListDialogProps {
  opened: boolean;
  /** The one to rename or share; a new one when absent. */
  list?: SavedList | undefined;
  query: ListQuery;
  onClose: () => void;
  onSaved: (list: SavedList) => void;
}

export function SaveListDialog({ opened, onClose, ...rest }: SaveListDialogProps) {
  const title = rest.list ? `Rename or share ${rest.list.name}` : "New list";
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <SaveListForm {...rest} onClose={onClose} />
    </Modal>
  );
}

function SaveListForm({ list, query, onClose, onSaved }: Omit<SaveListDialogProps, "opened">) {
  const { create, change } = useSavedListActions();
  const canShare = useCan()("saved_lists.team.share");
  const [name, setName] = useState(list?.name ?? "");
  const [shared, setShared] = useState(list?.shared ?? false);
  const [missing, setMissing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const submit = async () => {
    const trimmed = name.trim();
    setMissing(trimmed === "");
    if (trimmed === "") return;
    try {
      const saved = list
        ? await change.mutateAsync({ id: list.id, version: list.version, name: trimmed, shared })
        : await create.mutateAsync({ name: trimmed, query, shared });
      notifyDone(`${saved.name} was saved.`);
      onSaved(saved);
      onClose();
    } catch (error) {
      setProblem(toProblem(error).message);
    }
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack>
        <FormProblem>{problem}</FormProblem>
        <TextInput
          label="Name"
          description={list ? undefined : "Search, filters, order and columns are saved; the list always shows what is true now."}
          required
          data-autofocus
          maxLength={200}
          value={name}
          error={missing ? "Give the list a name" : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {canShare && (
          <Checkbox
            label="Share with the workspace"
            description="Everybody who reads records can open it; you and the admins can change it."
            checked={shared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending || change.isPending}>
            Save list
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
