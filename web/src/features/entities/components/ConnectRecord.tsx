import { Button, Group, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { PlusIcon } from "@radix-ui/react-icons";
import { useState } from "react";
import type { RelationField } from "@/features/entity_types/lib/fields";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useEntitySuggestions } from "../hooks/useEntities";
import { useRelationActions } from "../hooks/useRelations";

const PAUSE_MS = 200; // after the last key, before the server is asked

interface ConnectRecordProps {
  entityId: string;
  field: RelationField;
  /** Ids of those it leads to already. */
  connected: readonly string[];
}

/** A button that becomes a search among the records that the relation may lead to. */
export function ConnectRecord({ entityId, field, connected }: ConnectRecordProps) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [asked] = useDebouncedValue(typed, PAUSE_MS);
  const { data, isFetching } = useEntitySuggestions(field.targetType, asked.trim(), open);
  const { connect } = useRelationActions(entityId);
  if (!open) {
    return (
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        leftSection={<PlusIcon />}
        aria-label={`Connect a record as ${field.label}`}
        onClick={() => setOpen(true)}
      >
        Connect
      </Button>
    );
  }
  const choose = (target_id: string | null) => {
    if (!target_id) return;
    connect.mutate(
      { field_key: field.key, target_id },
      {
        onSuccess: (relation) => {
          setOpen(false);
          setTyped("");
          notifyDone(`Connected to ${relation.target_title}.`);
        },
        onError: (error) => notifyProblem("They were not connected", error),
      },
    );
  };
  const options = (data?.data ?? [])
    .filter(({ id }) => id !== entityId && !connected.includes(id))
    .map(({ id, title }) => ({ value: id, label: title }));
  const none = { value: "", label: isFetching ? "Searching…" : "Nothing matches", disabled: true };
  return (
    <Group gap="xs" w="100%" maw={420} wrap="nowrap">
      <Select
        flex={1}
        size="xs"
        aria-label={`Record to connect as ${field.label}`}
        placeholder="Search titles"
        searchable
        autoFocus
        disabled={connect.isPending}
        comboboxProps={{ withinPortal: false }}
        // The list itself scrolls, not a box around it that keys cannot reach.
        withScrollArea={false}
        styles={{ options: { maxHeight: 220, overflowY: "auto" } }}
        // The server has searched already, by words and not by letters.
        filter={({ options: all }) => all}
        data={options.length > 0 ? options : [none]}
        value={null}
        searchValue={typed}
        onSearchChange={setTyped}
        onChange={choose}
      />
      <Button size="xs" variant="default" onClick={() => setOpen(false)}>
        Cancel
      </Button>
    </Group>
  );
}
