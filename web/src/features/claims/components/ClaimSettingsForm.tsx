import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ClaimSettings, EntityType } from "@/api/types";
import { CriteriaSetSelect } from "@/features/criteria/components/CriteriaSetSelect";
import { TypeSelect } from "@/features/entity_types/components/TypeSelect";
import { useEveryPage } from "@/api/useEveryPage";
import { useEntityTypes } from "@/features/entity_types/hooks/useEntityTypes";
import { listRelationFields } from "@/features/entity_types/lib/fields";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useChangeClaimSettings } from "../hooks/useClaims";

/** What the workspace calls its sources and claims. Those who may not change it can read it. */
export function ClaimSettingsForm({ settings }: { settings: ClaimSettings }) {
  const canManage = useCan()("entity_types.team.manage");
  const change = useChangeClaimSettings();
  const form = useForm({ initialValues: { ...settings } });
  const problem = useProblemForm(form);
  const { source_type, criteria_set, relation_field } = form.values;
  const { rows: types = [] } = useEveryPage(useEntityTypes());
  const sourceType = types.find(({ slug }) => slug === source_type);

  const submit = form.onSubmit(async (values) => {
    problem.clear();
    try {
      await change.mutateAsync(values);
      form.resetDirty();
      notifyDone("Saved. All claims are counted anew; that takes a few seconds.");
    } catch (error) {
      problem.place(error);
    }
  });
  // What another type has does not fit this one.
  const chooseType = (value: string) => {
    form.setFieldValue("source_type", value);
    if (value !== source_type) form.setValues({ criteria_set: "", relation_field: "" });
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={480}>
        <FormProblem>{problem.head}</FormProblem>
        {!canManage && (
          <Text size="sm" c="dimmed">
            Only an admin or the owner can change this.
          </Text>
        )}
        <TypeSelect
          label="Sources are records of type"
          description="Studies, reports, tickets: whatever a claim can rest on."
          unknown={`${source_type} (no such type)`}
          disabled={!canManage}
          value={source_type}
          error={form.errors.source_type}
          onChange={chooseType}
        />
        <FieldSelect
          types={types}
          sourceType={sourceType}
          value={relation_field}
          error={form.errors.relation_field}
          disabled={!canManage}
          onChange={(value) => form.setFieldValue("relation_field", value)}
        />
        <CriteriaSetSelect
          label="Sources are rated with"
          description="The mean of a rating’s numbers is the quality of the source, once one of its values is promoted."
          typeSlug={sourceType?.slug}
          by="slug"
          offers={({ scope }) => sourceType !== undefined && scope?.type !== "relation"}
          unknown={`${criteria_set} (no such set for this type)`}
          disabled={!canManage}
          value={criteria_set}
          error={form.errors.criteria_set}
          onChange={(value) => form.setFieldValue("criteria_set", value)}
        />
        {canManage && (
          <Group>
            <Button
              type="submit"
              loading={change.isPending}
              disabled={!form.isDirty() || !source_type || !criteria_set || !relation_field}
            >
              Save and count anew
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

interface FieldSelectProps {
  types: readonly EntityType[];
  /** Undefined while there is none of that name. */
  sourceType: EntityType | undefined;
  value: string;
  error: React.ReactNode;
  disabled: boolean;
  onChange: (value: string) => void;
}

function FieldSelect({ types, sourceType, value, onChange, ...input }: FieldSelectProps) {
  const fields = sourceType ? listRelationFields(sourceType) : [];
  const chosen = fields.find(({ key }) => key === value);
  const target = types.find(({ slug }) => slug === chosen?.targetType);
  const options = fields.map(({ key, label }) => ({ value: key, label }));
  const missing = value !== "" && !chosen ? [{ value, label: `${value} (no such relation field)` }] : [];
  const none = value === "" ? [{ value: "", label: "Choose…" }] : [];
  return (
    <NativeSelect
      {...input}
      label="They lead to claims through"
      description={
        chosen
          ? `A relation field of that type. Claims are then records of type ${target?.name ?? chosen.targetType}.`
          : "A relation field of that type. What it leads to are the claims."
      }
      data={[...none, ...missing, ...options]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
