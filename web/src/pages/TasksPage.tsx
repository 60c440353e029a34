import { TasksEmpty } from "@/features/tasks/components/TasksEmpty";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

export function TasksPage() {
  useTitle("Tasks");
  return (
    <>
      <PageHeader title="Tasks" description="What is waiting for your judgement." />
      <TasksEmpty />
    </>
  );
}
