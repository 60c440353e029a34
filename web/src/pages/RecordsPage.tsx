import { RecordsEmpty } from "@/features/records/components/RecordsEmpty";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

export function RecordsPage() {
  useTitle("Records");
  return (
    <>
      <PageHeader title="Records" description="What your team holds to be true, and who says so." />
      <RecordsEmpty />
    </>
  );
}
