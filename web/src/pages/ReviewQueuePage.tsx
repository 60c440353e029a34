import { getRouteApi } from "@tanstack/react-router";
import { ReviewQueue } from "@/features/inbox/components/ReviewQueue";
import { useWaitingCsv } from "@/features/inbox/hooks/useWaiting";
import type { ReviewSearch } from "@/features/inbox/lib/search";
import { BackLink } from "@/ui/BackLink";
import { CsvButton } from "@/ui/CsvButton";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/tasks/review");

export function ReviewQueuePage() {
  useTitle("Review", "Tasks");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const fetchCsv = useWaitingCsv(search);
  const change = (part: Partial<ReviewSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <>
      <BackLink to="/tasks">Tasks</BackLink>
      <PageHeader
        title="Review"
        description="Proposals of all records, one at a time."
        actions={<CsvButton fetchCsv={fetchCsv} name="responses.csv" />}
      />
      <ReviewQueue search={search} onChange={change} />
    </>
  );
}
