import { getRouteApi } from "@tanstack/react-router";
import { useEveryPage } from "@/api/useEveryPage";
import { RecordImport } from "@/features/entities/components/RecordImport";
import { NoTypesYet } from "@/features/entities/components/RecordsEmpty";
import { useEntityTypes } from "@/features/entity_types/hooks/useEntityTypes";
import { BackLink } from "@/ui/BackLink";
import { PageHeader } from "@/ui/PageHeader";
import { PagedRows } from "@/ui/PagedRows";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/records/import");

export function RecordImportPage() {
  useTitle("Import", "Records");
  const { type } = route.useSearch();
  const navigate = route.useNavigate();
  const types = useEveryPage(useEntityTypes());
  return (
    <>
      <BackLink to="/records">Records</BackLink>
      <PageHeader title="Import records" description="From a table: all rows or none, after a look at what would come of it." />
      <PagedRows list={types} what="types" empty={<NoTypesYet />}>
        {(rows) => (
          <RecordImport types={rows} type={type} onType={(chosen) => void navigate({ search: { type: chosen }, replace: true })} />
        )}
      </PagedRows>
    </>
  );
}
