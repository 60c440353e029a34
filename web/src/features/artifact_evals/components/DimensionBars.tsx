import { Text, Title, VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { DimensionSummary, ArtifactEvalRun } from "@/api/types";
import { DIMENSION_LOOK, type KnowledgeDimension } from "../lib/dimensions";
import { percent } from "../lib/runs";
import type { SuiteSearch } from "../lib/search";
import { ShareBar } from "./ShareBar";
import classes from "./evals.module.css";

interface DimensionBarsProps {
  run: ArtifactEvalRun;
  chosen: KnowledgeDimension | undefined;
}

/** How many records pass each dimension; one that some fail leads to those. */
export function DimensionBars({ run, chosen }: DimensionBarsProps) {
  return (
    <section className={classes.panel} aria-labelledby="dimensions">
      <Title order={2} id="dimensions" mb="xs">
        Dimensions
      </Title>
      <ul className={classes.dimensions}>
        {run.dimensions.map((summary) => (
          <li key={summary.dimension}>
            {summary.failed > 0 ? (
              <Link
                className={classes.dimension}
                data-current={summary.dimension === chosen || undefined}
                to="/artifact-evals/$suite"
                params={{ suite: run.suite }}
                search={(before: SuiteSearch) => ({
                  ...before,
                  show: undefined,
                  dimension: summary.dimension === chosen ? undefined : summary.dimension,
                })}
                replace
                resetScroll={false}
              >
                <Bar summary={summary} />
              </Link>
            ) : (
              <div className={classes.dimension}>
                <Bar summary={summary} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Bar({ summary: { dimension, passed, failed, left_out } }: { summary: DimensionSummary }) {
  const { label, question } = DIMENSION_LOOK[dimension];
  const judged = passed + failed;
  return (
    <>
      <span>
        <Text span size="sm" fw={550} display="block">
          {label}
        </Text>
        <Text span size="xs" c="dimmed" display="block">
          {left_out ? `Left out: ${left_out}` : question}
        </Text>
      </span>
      <span className={classes.bar}>{!left_out && <ShareBar value={percent(passed, judged)} />}</span>
      <span className={classes.share}>
        {left_out ? "Left out" : judged === 0 ? "Not judged" : failed === 0 ? "All pass" : `${failed.toLocaleString("en")} to fix`}
        <VisuallyHidden>{judged > 0 && `, ${passed} of ${judged} pass`}</VisuallyHidden>
      </span>
    </>
  );
}
