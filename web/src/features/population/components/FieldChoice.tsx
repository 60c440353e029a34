import { Button, Checkbox, Group, Input, SimpleGrid, Stack, Text } from "@mantine/core";
import { useCriteriaSet, useCriteriaSetOfType } from "@/features/criteria/hooks/useCriteriaSets";
import { CriteriaSetSelect } from "@/features/criteria/components/CriteriaSetSelect";
import { canBePopulated } from "../lib/population";

interface FieldChoiceProps {
  typeSlug: string;
  setId: string;
  dimensions: readonly string[];
  onChange: (choice: { setId: string; dimensions: readonly string[] }) => void;
  error?: string | undefined;
}

/** Which fields are to be filled in: those of a criteria set, all or some. */
export function FieldChoice({ typeSlug, setId, dimensions, onChange, error }: FieldChoiceProps) {
  const byDefault = useCriteriaSetOfType(typeSlug, `default-${typeSlug}`);
  const other = useCriteriaSet(setId || undefined);
  const set = setId ? other.data : byDefault.data;
  const fields = set?.dimensions ?? [];
  return (
    <Stack gap="sm">
      <CriteriaSetSelect
        label="Criteria set"
        typeSlug={typeSlug}
        by="id"
        offers={(each) => canBePopulated(each) && !each.is_default}
        none="The fields of the record"
        value={setId}
        onChange={(next) => onChange({ setId: next, dimensions: [] })}
      />
      <Input.Wrapper
        labelElement="div"
        label={
          <Group gap="xs" justify="space-between">
            <span>Fields</span>
            {dimensions.length > 0 && (
              <Button size="compact-xs" variant="subtle" onClick={() => onChange({ setId, dimensions: [] })}>
                All of them
              </Button>
            )}
          </Group>
        }
        error={error}
      >
        <Text size="xs" c="dimmed" mb={6}>
          {dimensions.length === 0 ? "All of them, unless you tick some." : `${dimensions.length} of ${fields.length}`}
        </Text>
        <Checkbox.Group value={[...dimensions]} onChange={(next) => onChange({ setId, dimensions: next })} aria-label="Fields">
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6} verticalSpacing={6}>
            {fields.map(({ key, label }) => (
              <Checkbox key={key} value={key} label={label} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      </Input.Wrapper>
    </Stack>
  );
}
