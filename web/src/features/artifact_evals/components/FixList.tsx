import { Anchor, Badge, Group, Text, Tooltip, VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ArtifactEvalGap, ArtifactEvalResult } from "@/api/types";
import { ScoreMeter } from "@/features/entities/components/ScoreMeter";
import { fieldAnchor } from "@/features/entities/lib/anchor";
import { ALL_FIELDS } from "@/features/entities/lib/search";
import { dimensionLook } from "../lib/dimensions";
import { gradeImportance } from "../lib/runs";
import { Reason } from "./Reason";
import classes from "./evals.module.css";

interface FixListProps {
  results: readonly ArtifactEvalResult[];
  /** Some dimensions did not count. */
  isPartial?: boolean;
}

/** Records with what is wrong with each, in the order in which to fix them. */
export function FixList({ results, isPartial = false }: FixListProps) {
  return (
    <ol className={classes.fixes}>
      {results.map((result) => (
        <li key={result.entity_id} className={classes.fix}>
          <Group justify="space-between" gap="sm">
            <RecordLink id={result.entity_id}>{result.title}</RecordLink>
            <ScoreMeter score={result.overall === null ? null : result.overall * 100} />
          </Group>
          {result.passed ? (
            <Text size="sm" c="dimmed" mt={4}>
              {isPartial ? "Passes every dimension that is not left out." : "Passes every dimension."}
            </Text>
          ) : (
            <ul className={classes.gaps} aria-label={`Gaps of ${result.title}`}>
              {result.gaps.map((gap, place) => (
                <GapRow key={place} gap={gap} entityId={result.entity_id} />
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}

function GapRow({ gap, entityId }: { gap: ArtifactEvalGap; entityId: string }) {
  const dimension = dimensionLook(gap.dimension);
  const urgency = gradeImportance(gap.importance);
  return (
    <li className={classes.gap}>
      <Badge color={dimension.color}>{dimension.label}</Badge>
      <div className={classes.said}>
        <div className={classes.reason}>
          <Reason text={gap.reason} />
        </div>
        {gap.fields.length > 0 && (
          <div className={classes.fields}>
            {gap.fields.map((field) => (
              <RecordLink key={field} id={entityId} field={field}>
                {`Go to ${field}`}
              </RecordLink>
            ))}
          </div>
        )}
      </div>
      <Tooltip label={`Importance ${gap.importance.toFixed(2)}: weight times what is missing`}>
        <Text span size="xs" c={`var(--mantine-color-${urgency.color}-text)`} fw={550} style={{ whiteSpace: "nowrap" }}>
          {urgency.label}
          <VisuallyHidden>{`, importance ${gap.importance.toFixed(2)}`}</VisuallyHidden>
        </Text>
      </Tooltip>
    </li>
  );
}

interface RecordLinkProps {
  id: string;
  field?: string;
  children: React.ReactNode;
}

function RecordLink({ id, field, children }: RecordLinkProps) {
  return (
    <Anchor
      size={field ? "xs" : "sm"}
      fw={field ? 500 : 550}
      style={{ overflowWrap: "anywhere" }}
      renderRoot={(props) => (
        <Link
          to="/records/$id"
          params={{ id }}
          search={field ? { view: ALL_FIELDS } : {}}
          hash={field && fieldAnchor(field)}
          {...props}
        />
      )}
    >
      {children}
    </Anchor>
  );
}
