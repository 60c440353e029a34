import { CheckCircledIcon } from "@radix-ui/react-icons";
import { EmptyState } from "@/ui/states";

export function TasksEmpty() {
  return (
    <EmptyState icon={<CheckCircledIcon width={20} height={20} />} title="Nothing is waiting for you">
      Responses to review and assessments you are asked to give will be collected here.
    </EmptyState>
  );
}
