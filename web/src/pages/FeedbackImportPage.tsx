import { FeedbackImport } from "@/features/feedback/components/FeedbackImport";
import { FeedbackParts } from "@/features/feedback/components/FeedbackParts";

export function FeedbackImportPage() {
  return (
    <FeedbackParts current="/admin/agent-review/feedback/import" search={{}}>
      <FeedbackImport />
    </FeedbackParts>
  );
}
