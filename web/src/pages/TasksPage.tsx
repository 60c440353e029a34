import { Inbox } from "@/features/inbox/components/Inbox";
import { TaskList } from "@/features/tasks/components/TaskList";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

export function TasksPage() {
  useTitle("Tasks");
  return (
    <>
      <PageHeader title="Tasks" description="What waits for your judgement, and what agents do for you." />
      <Inbox />
      <TaskList />
    </>
  );
}
