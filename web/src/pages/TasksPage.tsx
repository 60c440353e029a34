import { Inbox } from "@/features/inbox/components/Inbox";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

export function TasksPage() {
  useTitle("Tasks");
  return (
    <>
      <PageHeader title="Tasks" description="What waits for your judgement, over all records and conversations." />
      <Inbox />
    </>
  );
}
