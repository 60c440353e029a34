import { Button, ScrollArea, SegmentedControl, Stack, Text } from "@mantine/core";
import { ChevronDownIcon, ChevronRightIcon } from "@radix-ui/react-icons";
import { getRouteApi } from "@tanstack/react-router";
import { FailedJobs } from "@/features/jobs/components/FailedJobs";
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
  const { status, routine, job } = route.useSearch();
  const openJob = (id: string | undefined) => void navigate({ search: (before) => ({ ...before, job: id }) });
  return (
    <Stack gap={40}>
      <section>
        <PageHeader
          order={2}
          title="Jobs"
          description="What the server does in the background for this workspace: what failed first, then the newest."
        />
        <ScrollArea mb="md" type="never">
          <SegmentedControl
            size="xs"
            aria-label="Status"
            data={FILTERS}
            value={status ?? "all"}
            onChange={(value) =>
              void navigate({
                search: { status: JOB_STATUSES.find((each) => each === value), routine },
                replace: true,
              })
            }
          />
        </ScrollArea>
        {(status === undefined || status === "failed") && <FailedJobs alone={status === "failed"} onOpen={openJob} />}
        {status !== "failed" && (
          <Stack gap="md">
            <JobsTable status={status} routine={false} onOpen={openJob} />
            <div>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-expanded={routine === true}
                leftSection={routine ? <ChevronDownIcon /> : <ChevronRightIcon />}
                onClick={() =>
                  void navigate({
                    search: (before) => ({ ...before, routine: routine ? undefined : true }),
                    replace: true,
                  })
                }
              >
                Routine jobs
              </Button>
              {routine ? (
                <JobsTable status={status} routine onOpen={openJob} />
              ) : (
                <Text size="xs" c="dimmed">
                  Housekeeping that nobody waits for, such as noting when a key was used.
                </Text>
              )}
            </div>
          </Stack>
        )}
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
