import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { EraseDialog } from "./EraseDialog";

/** Finds an end user by the id that the chat calls them by, and deletes everything of theirs. */
export function EraseUserForm() {
  const [userId, setUserId] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const name = userId.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name) setIsOpen(true);
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Id of the end user"
          description="As your chat sends it as user_id"
          value={userId}
          onChange={(event) => setUserId(event.currentTarget.value)}
          autoComplete="off"
          flex="1 1 240px"
          maw={420}
        />
        <Button type="submit" variant="default" disabled={!name}>
          Look what there is
        </Button>
      </Group>
      <EraseDialog
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        what={`everything of ${name}`}
        erasure={{ kind: "end_user", user_id: name }}
      />
    </form>
  );
}
