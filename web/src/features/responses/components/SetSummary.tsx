import { Group, Paper, SegmentedControl, Text } from "@mantine/core";
import { useState } from "react";
import { AgreementPanel } from "@/features/criteria/components/AgreementPanel";
import { RatersSideBySide, SetStatistics } from "./SetStatistics";

interface SetSummaryProps {
  entityId: string;
  criteriaSetId: string;
  name: string;
  /** Where connections were rated, whose values stand side by side in a picture of their own. */
  isMatrix: boolean;
}

const PARTS = [
  { value: "statistics", label: "Statistics" },
  { value: "raters", label: "Side by side" },
  { value: "agreement", label: "Agreement" },
];

/** Heads the responses to a criteria set: what they say together, one beside the other, and how far raters agree. */
export function SetSummary({ entityId, criteriaSetId, name, isMatrix }: SetSummaryProps) {
  const [part, setPart] = useState("statistics");
  return (
    <Paper component="section" aria-label={`Summary of ${name}`} withBorder radius="lg" p="md">
      <Group justify="space-between" gap="xs" mb="xs">
        <Text size="sm" fw={600}>
          What they say together
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={`Summary of ${name}`}
          data={isMatrix ? PARTS.filter(({ value }) => value !== "raters") : PARTS}
          value={part}
          onChange={setPart}
        />
      </Group>
      {part === "statistics" && <SetStatistics entityId={entityId} criteriaSetId={criteriaSetId} />}
      {part === "raters" && <RatersSideBySide entityId={entityId} criteriaSetId={criteriaSetId} />}
      {part === "agreement" && (
        <>
          <Text size="xs" c="dimmed" mb="xs">
            Over all records that were answered about with this criteria set.
          </Text>
          <AgreementPanel setId={criteriaSetId} />
        </>
      )}
    </Paper>
  );
}
