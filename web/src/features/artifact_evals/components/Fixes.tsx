import { Badge, Button, CloseButton, Group, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import type { ArtifactEvalRun } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { EmptyState } from "@/ui/states";
import { useArtifactEvalResults } from "../hooks/useArtifactEvals";
import { DIMENSION_LOOK } from "../lib/dimensions";
import { countLeftOut } from "../lib/runs";
import { SHOWN, type Shown, type SuiteSearch } from "../lib/search";
import { FixList } from "./FixList";

const SHOWN_LABEL: Record<Shown, string> = { failed: "To fix", passed: "Pass", all: "All" };

interface FixesProps {
  run: ArtifactEvalRun;
  search: SuiteSearch;
  onChange: (change: Partial<SuiteSearch>) => void;
}

/** What to fix first, narrowed as the address says. */
export function Fixes({ run, search, onChange }: FixesProps) {
  const show = search.show ?? "failed";
  const results = useArtifactEvalResults(run, show, search.dimension);
  return (
    <section aria-labelledby="fixes">
      <Group justify="space-between" mb="sm" gap="sm">
        <Title order={2} id="fixes">
          What to fix first
        </Title>
        <Group gap="sm">
          {search.dimension && (
            <Badge
              color="gold"
              size="lg"
              rightSection={
                <CloseButton
                  size="xs"
                  aria-label={`Show every dimension, not only ${DIMENSION_LOOK[search.dimension].label}`}
                  onClick={() => onChange({ dimension: undefined })}
                />
              }
            >
              {DIMENSION_LOOK[search.dimension].label}
            </Badge>
          )}
          <SegmentedControl
            size="xs"
            aria-label="Which records"
            data={SHOWN.map((value) => ({ value, label: SHOWN_LABEL[value] }))}
            value={show}
            onChange={(value) =>
              onChange({ show: value === "failed" ? undefined : SHOWN.find((each) => each === value) })
            }
          />
        </Group>
      </Group>
      {run.results_kept ? (
        <PagedRows list={results} what="records" empty={<NothingHere run={run} search={search} onChange={onChange} />}>
          {(rows) => <FixList results={rows} isPartial={countLeftOut(run) > 0} />}
        </PagedRows>
      ) : (
        <EmptyState title="Only the numbers of this run are kept">
          Verdicts on single records are kept for the newest runs. Choose a newer one above.
        </EmptyState>
      )}
    </section>
  );
}

function NothingHere({ run, search, onChange }: FixesProps) {
  if (search.dimension || (search.show && search.show !== "failed")) {
    return (
      <EmptyState
        title="No record is like that"
        action={
          <Button variant="default" size="xs" onClick={() => onChange({ dimension: undefined, show: undefined })}>
            Show what to fix
          </Button>
        }
      >
        Nothing in this run matches what you chose.
      </EmptyState>
    );
  }
  if (run.status === "done" && run.done > 0) {
    const left = countLeftOut(run);
    return (
      <EmptyState title="Nothing to fix">
        {left === 0 ? "Every record passes all six dimensions." : `Every record passes; ${left} of six dimensions left out.`}
      </EmptyState>
    );
  }
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {run.done === 0 ? "No record has been scored in this run." : "Nothing to fix among the records scored so far."}
      </Text>
    </Stack>
  );
}
