import { NumberInput, Radio, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { type Fault, messageAt } from "@/api/faults";
import type { SetDraft } from "../lib/draft";

interface CriteriaSetDisplayProps {
  draft: SetDraft;
  faults: readonly Fault[];
  onChange: (part: Partial<Omit<SetDraft, "dimensions">>) => void;
}

/** How the form is drawn. */
export function CriteriaSetDisplay({ draft, faults, onChange }: CriteriaSetDisplayProps) {
  const error = (name: string) => messageAt(faults, `/display_config/${name}`);
  return (
    <Stack gap="sm">
      <Radio.Group
        aria-label="Display"
        value={draft.asMatrix ? "matrix" : "list"}
        onChange={(value) => onChange({ asMatrix: value === "matrix" })}
      >
        <Stack gap={8}>
          <Radio value="list" label="List" description="One input below the other" />
          <Radio
            value="matrix"
            label="Likert matrix"
            description="A row per dimension and a column per value, at most 11; numbers and ratings only"
          />
        </Stack>
      </Radio.Group>
      {draft.asMatrix && (
        <>
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
            <NumberInput
              label="Lowest"
              description="Where a row has no scale"
              value={draft.matrixMin}
              error={error("scale")}
              onChange={(matrixMin) => onChange({ matrixMin })}
            />
            <NumberInput
              label="Highest"
              description="Where a row has no scale"
              value={draft.matrixMax}
              error={Boolean(error("scale"))}
              onChange={(matrixMax) => onChange({ matrixMax })}
            />
            <NumberInput
              label="Step"
              description="1 if left empty"
              value={draft.matrixStep}
              error={error("step")}
              onChange={(matrixStep) => onChange({ matrixStep })}
            />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
            <TextInput
              label="Label of the lowest"
              value={draft.anchorMin}
              error={error("anchorLabels/min")}
              onChange={(event) => onChange({ anchorMin: event.currentTarget.value })}
            />
            <TextInput
              label="Label of the middle"
              value={draft.anchorMid}
              error={error("anchorLabels/mid")}
              onChange={(event) => onChange({ anchorMid: event.currentTarget.value })}
            />
            <TextInput
              label="Label of the highest"
              value={draft.anchorMax}
              error={error("anchorLabels/max")}
              onChange={(event) => onChange({ anchorMax: event.currentTarget.value })}
            />
          </SimpleGrid>
        </>
      )}
    </Stack>
  );
}
