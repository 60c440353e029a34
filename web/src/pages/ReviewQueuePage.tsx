import { getRouteApi } from "@tanstack/react-router";
import { ReviewQueue } from "@/features/inbox/components/ReviewQueue";
import type { ReviewSearch } from "@/features/inbox/lib/search";
import { BackLink } from "@/ui/BackLink";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/tasks/review");

export function ReviewQueuePage() {
  useTitle("Review", "Tasks");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<ReviewSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <>
      <BackLink to="/tasks">Tasks</BackLink>
      <PageHeader title="Review" description="Proposals of all records, one at a time." />
      <ReviewQueue search={search} onChange={change} />
    </>
  );
}
