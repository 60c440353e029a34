import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { PlusIcon } from "@radix-ui/react-icons";
import { type Fault, hasFaultAt, messageAt } from "@/api/faults";
import type { EntityType } from "@/api/types";
import { OrderedCards } from "@/ui/OrderedCards";
import { useOpenCards } from "@/ui/useOpenCards";
import { DIMENSION_TYPES, isNumeric, typeRow } from "../lib/dimensionTypes";
import type { DimensionDraft, SetDraft } from "../lib/draft";
import type { EditorAction } from "../lib/editor";
import { contentFields } from "../lib/fields";
import { DimensionEditor } from "./DimensionEditor";

interface CriteriaSetDimensionsProps {
  draft: SetDraft;
  faults: readonly Fault[];
  types: readonly EntityType[];
  onEdit: (action: EditorAction) => void;
}

/** What is asked, in the order in which it is asked. */
export function CriteriaSetDimensions({ draft, faults, types, onEdit }: CriteriaSetDimensionsProps) {
  const fields = contentFields(types, draft.types);
  const wrong = draft.dimensions.filter((_each, place) => hasFaultAt(faults, `/dimensions/${place}`));
  const cards = useOpenCards(
    draft.dimensions,
    wrong.map(({ id }) => id),
  );
  const whole = faults.find(({ path }) => path === "/dimensions");
  return (
    <Stack gap="sm">
      <OrderedCards
        label="Dimensions"
        items={draft.dimensions}
        name={({ label }) => label || "Untitled"}
        summary={summarize}
        hasProblem={(_dimension, place) => hasFaultAt(faults, `/dimensions/${place}`)}
        opened={cards.opened}
        onToggle={cards.toggle}
        onMove={(id, delta) => onEdit({ do: "move", id, delta })}
        onRemove={(id) => onEdit({ do: "remove", id })}
      >
        {(dimension, place) => (
          <DimensionEditor
            draft={dimension}
            at={`/dimensions/${place}`}
            faults={faults}
            fields={fields}
            isPromotable={!draft.ofRelation}
            onChange={(part) => onEdit({ do: "changeDimension", id: dimension.id, part })}
            onDuplicate={() => onEdit({ do: "duplicate", id: dimension.id })}
          />
        )}
      </OrderedCards>
      {whole && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {messageAt([whole], "/dimensions")}
        </Text>
      )}
      <Group gap={6} role="group" aria-label="New dimension">
        {DIMENSION_TYPES.map((type) => (
          <Button
            key={type}
            size="compact-sm"
            variant="default"
            leftSection={<PlusIcon />}
            onClick={() => onEdit({ do: "add", type })}
          >
            {typeRow(type).label}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

function summarize({ type, min, max, weight, required }: DimensionDraft) {
  const numeric = isNumeric(type);
  return (
    <>
      <Badge color="gray">{typeRow(type).label}</Badge>
      {required && <span>required</span>}
      {numeric && min !== "" && max !== "" && <span>{`${min}–${max}`}</span>}
      {numeric && weight !== "" && <span>{`weight ${weight}`}</span>}
    </>
  );
}
