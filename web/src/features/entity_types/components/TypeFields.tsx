import { Badge, Button, Stack, Text } from "@mantine/core";
import { PlusIcon } from "@radix-ui/react-icons";
import { type Fault, hasFaultAt } from "@/api/faults";
import { OrderedCards } from "@/ui/OrderedCards";
import { useOpenCards } from "@/ui/useOpenCards";
import { KIND_LABEL } from "../lib/fieldDraft";
import { humanize } from "../lib/fields";
import type { TypeAction, TypeDraft } from "../lib/typeDraft";
import { FieldEditor } from "./FieldEditor";

interface TypeFieldsProps {
  draft: TypeDraft;
  faults: readonly Fault[];
  onEdit: (action: TypeAction) => void;
}

/** The fields of a type, one card each. */
export function TypeFields({ draft, faults, onEdit }: TypeFieldsProps) {
  const wrong = draft.fields.filter((_field, place) => hasFaultAt(faults, `/fields/${place}`)).map(({ id }) => id);
  const cards = useOpenCards(draft.fields, wrong);
  return (
    <Stack gap="sm">
      {draft.fields.length === 0 && (
        <Text size="sm" c="dimmed">
          No fields yet. Records of this type have a title only.
        </Text>
      )}
      <OrderedCards
        label="Fields"
        items={draft.fields}
        name={({ label, name }) => label || (name ? humanize(name) : "Untitled")}
        summary={({ kind, required, name }) => (
          <>
            <Badge color="gray">{KIND_LABEL[kind]}</Badge>
            {required && <span>required</span>}
            <span>{name}</span>
          </>
        )}
        hasProblem={(_field, place) => hasFaultAt(faults, `/fields/${place}`)}
        opened={cards.opened}
        onToggle={cards.toggle}
        onMove={(id, delta) => onEdit({ do: "move", id, delta })}
        onRemove={(id) => onEdit({ do: "remove", id })}
      >
        {(field, place) => (
          <FieldEditor
            draft={field}
            at={`/fields/${place}`}
            faults={faults}
            onChange={(part) => onEdit({ do: "changeField", id: field.id, part })}
          />
        )}
      </OrderedCards>
      <div>
        <Button size="compact-sm" variant="default" leftSection={<PlusIcon />} onClick={() => onEdit({ do: "add" })}>
          New field
        </Button>
      </div>
    </Stack>
  );
}
