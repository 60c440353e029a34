import { ScrollArea, SegmentedControl, Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { JobDrawer } from "@/features/jobs/components/JobDrawer";
import { JobsTable } from "@/features/jobs/components/JobsTable";
import { MarksTable } from "@/features/jobs/components/MarksTable";
import { JOB_STATUS, JOB_STATUSES } from "@/features/jobs/lib/status";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/settings/jobs");
const FILTERS = [
  { value: "all", label: "All" },
  ...JOB_STATUSES.map((status) => ({ value: status as string, label: JOB_STATUS[status].label })),
];

export function JobsPage() {
  useTitle("Jobs", "Settings");
  const navigate = route.useNavigate();
  const { status, job } = route.useSearch();
  const openJob = (id: string | undefined) => void navigate({ search: (before) => ({ ...before, job: id }) });
  return (
    <Stack gap={40}>
      <section>
        <PageHeader order={2} title="Jobs" description="What the server does in the background, newest first." />
        <ScrollArea mb="md" type="never">
          <SegmentedControl
            size="xs"
            aria-label="Status"
            data={FILTERS}
            value={status ?? "all"}
            onChange={(value) =>
              void navigate({
                search: { status: JOB_STATUSES.find((each) => each === value) },
                replace: true,
              })
            }
          />
        </ScrollArea>
        <JobsTable status={status} onOpen={openJob} />
      </section>
      <section>
        <PageHeader
          order={2}
          title="Waiting to be rebuilt"
          description="Scores, caches and search data that follow from records and are not up to date yet."
        />
        <MarksTable />
      </section>
      <JobDrawer id={job} onClose={() => openJob(undefined)} />
    </Stack>
  );
}
