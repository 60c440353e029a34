import { Button, Code, Grid, Stack } from "@mantine/core";
import { Link, getRouteApi } from "@tanstack/react-router";
import type { ArtifactEvalRun, ArtifactEvalSuite } from "@/api/types";
import { DimensionBars } from "@/features/artifact_evals/components/DimensionBars";
import { Fixes } from "@/features/artifact_evals/components/Fixes";
import { LeftOutPanel } from "@/features/artifact_evals/components/LeftOutPanel";
import { LoopPanel } from "@/features/artifact_evals/components/LoopPanel";
import { RunButton } from "@/features/artifact_evals/components/RunButton";
import { RunOutcome } from "@/features/artifact_evals/components/RunOutcome";
import { RunSelect } from "@/features/artifact_evals/components/RunSelect";
import { SuiteCriteria } from "@/features/artifact_evals/components/SuiteCriteria";
import { useArtifactEvalRun, useArtifactEvalSuite } from "@/features/artifact_evals/hooks/useArtifactEvals";
import { countRecords } from "@/features/artifact_evals/lib/runs";
import type { SuiteSearch } from "@/features/artifact_evals/lib/search";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { BackLink } from "@/ui/BackLink";
import { Loaded } from "@/ui/Loaded";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/artifact-evals/$suite");

export function ArtifactEvalSuitePage() {
  const { suite } = route.useParams();
  const query = useArtifactEvalSuite(suite);
  useTitle(query.data?.title ?? "Suite", "Artifact evals");
  return (
    <>
      <BackLink to="/artifact-evals">Artifact evals</BackLink>
      <Loaded query={query} what="the suite">
        {(found) => <Suite suite={found} />}
      </Loaded>
    </>
  );
}

function Suite({ suite }: { suite: ArtifactEvalSuite }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<SuiteSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  const older = search.run !== undefined && search.run !== suite.newest_run?.id ? search.run : undefined;
  const chosen = useArtifactEvalRun(older);
  return (
    <>
      <PageHeader
        title={suite.title}
        description={
          <>
            {countRecords(suite.records)} of type <Code>{suite.entity_type}</Code>
          </>
        }
        actions={
          <>
            <RunSelect suite={suite.slug} value={older} onChange={(run) => change({ run })} />
            <RunButton suite={suite} onStarted={() => change({ run: undefined })} />
          </>
        }
      />
      {older ? (
        <Loaded query={chosen} what="the run">
          {(run) => <SuiteBody suite={suite} run={run} search={search} onChange={change} />}
        </Loaded>
      ) : (
        <SuiteBody suite={suite} run={suite.newest_run} search={search} onChange={change} />
      )}
    </>
  );
}

interface SuiteBodyProps {
  suite: ArtifactEvalSuite;
  run: ArtifactEvalRun | null;
  search: SuiteSearch;
  onChange: (change: Partial<SuiteSearch>) => void;
}

function SuiteBody({ suite, run, search, onChange }: SuiteBodyProps) {
  const aside = (
    <Stack gap="md">
      {suite.loop && <LoopPanel suite={suite.slug} />}
      <LeftOutPanel suite={suite} />
      {suite.entity_type_exists && <SuiteCriteria suite={suite} />}
    </Stack>
  );
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 8 }}>
        {run ? (
          <Stack gap="lg">
            <RunOutcome run={run} />
            <DimensionBars run={run} chosen={search.dimension} />
            <Fixes run={run} search={search} onChange={onChange} />
          </Stack>
        ) : (
          <NotRunYet suite={suite} />
        )}
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>{aside}</Grid.Col>
    </Grid>
  );
}

function NotRunYet({ suite }: { suite: ArtifactEvalSuite }) {
  const canDefine = useCan()("entity_types.team.manage");
  if (!suite.entity_type_exists) {
    return (
      <EmptyState
        title="Nothing to score yet"
        action={
          canDefine && (
            <Button mt="xs" renderRoot={(props) => <Link to="/build/types" {...props} />}>
              New type
            </Button>
          )
        }
      >
        This workspace has no entity type <Code>{suite.entity_type}</Code>. Once it does, its records can be scored.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Not run yet" action={<RunButton suite={suite} />}>
      A run scores every record of type <Code>{suite.entity_type}</Code> and says what to fix first.
    </EmptyState>
  );
}
