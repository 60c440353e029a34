import { Alert, Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { InfoCircledIcon } from "@radix-ui/react-icons";
import { messageAt } from "@/api/faults";
import type { CriteriaSet, EntityResponse } from "@/api/types";
import { CriteriaSetRenderer } from "@/features/criteria/components/CriteriaSetRenderer";
import { ResponseFormScore } from "@/features/criteria/components/ResponseFormScore";
import { FormProblem } from "@/ui/states";
import { useResponseForm } from "../hooks/useResponseForm";
import { valueErrors } from "../lib/submission";
import { ResponseFormEvidence } from "./ResponseFormEvidence";
import { TemporalValueInput } from "./TemporalValueInput";

export interface ResponseFormProps {
  entityId: string;
  criteriaSet: CriteriaSet;
  onSubmitted: (response: EntityResponse) => void;
  onCancel?: (() => void) | undefined;
}

/** Proposes values for the fields of a record. Nothing of it is accepted truth until a reviewer promotes it. */
export function RecordResponseForm({ entityId, criteriaSet, onSubmitted, onCancel }: ResponseFormProps) {
  const form = useResponseForm(entityId, criteriaSet, onSubmitted);
  const { draft, faults } = form;
  return (
    <form ref={form.form} onSubmit={form.submit} noValidate aria-label={`Response to ${criteriaSet.name}`}>
      <Stack gap="md">
        {criteriaSet.description && (
          <Text size="sm" c="dimmed">
            {criteriaSet.description}
          </Text>
        )}
        {form.isRestored && (
          <Alert color="gold" py={6} role="note" icon={<InfoCircledIcon />}>
            <Group justify="space-between" gap="xs">
              <span>You began this response earlier, and it was kept.</span>
              <Button size="compact-xs" variant="default" onClick={form.startOver}>
                Start over
              </Button>
            </Group>
          </Alert>
        )}
        <FormProblem>{form.head}</FormProblem>
        {criteriaSet.kind === "temporal" && (
          <TemporalValueInput
            temporalKey={criteriaSet.temporal_key}
            value={draft.temporalValue}
            error={messageAt(faults, "/temporal_value")}
            onChange={form.setTemporalValue}
          />
        )}
        {criteriaSet.dimensions.length === 0 && (
          <Text size="sm" c="dimmed">
            This criteria set asks for nothing yet. Notes can still be left.
          </Text>
        )}
        <CriteriaSetRenderer
          criteriaSet={criteriaSet}
          values={draft.values}
          errors={valueErrors(faults, criteriaSet)}
          fields={form.fields}
          onChange={form.setValue}
        />
        <Textarea
          label="Notes"
          description="Why these values; reviewers read it"
          autosize
          minRows={2}
          maxRows={10}
          error={messageAt(faults, "/notes")}
          value={draft.notes}
          onChange={(event) => form.setNotes(event.currentTarget.value)}
        />
        <ResponseFormEvidence
          dimensions={criteriaSet.dimensions}
          evidence={draft.evidence}
          faults={faults}
          onChange={form.setEvidence}
        />
        <Group justify="space-between" align="center" gap="md">
          <ResponseFormScore values={draft.values} dimensions={criteriaSet.dimensions} />
          <Group gap="sm" ml="auto">
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                {form.isDirty ? "Finish later" : "Cancel"}
              </Button>
            )}
            <Button type="submit" loading={form.isPending}>
              Submit response
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
