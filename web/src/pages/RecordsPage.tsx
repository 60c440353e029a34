import { Button, Group } from "@mantine/core";
import { PlusIcon, UploadIcon } from "@radix-ui/react-icons";
import { Link, getRouteApi } from "@tanstack/react-router";
import { useEveryPage } from "@/api/useEveryPage";
import { NewRecordDialog } from "@/features/entities/components/NewRecordDialog";
import { RecordList } from "@/features/entities/components/RecordList";
import { NoTypesYet } from "@/features/entities/components/RecordsEmpty";
import { type RecordsSearch, knownType } from "@/features/entities/lib/search";
import { useEntityTypes } from "@/features/entity_types/hooks/useEntityTypes";
import { AssignSelected } from "@/features/inbox/components/AssignSelected";
import { PopulateSelected, PopulationProgress } from "@/features/population/components/PopulateSelected";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { FirstSteps } from "@/features/promotion/components/FirstSteps";
import { useFirstSteps } from "@/features/promotion/hooks/useFirstSteps";
import { PageHeader } from "@/ui/PageHeader";
import { PagedRows } from "@/ui/PagedRows";
import { useNewDialog } from "@/ui/useNewDialog";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/records");

/** What the list is narrowed to; null where it has records of several types. */
function filterOf({ type, q, min_score, waits }: RecordsSearch) {
  if (!type) return null;
  return { type, ...(q ? { q } : {}), ...(min_score ? { min_score } : {}), waits: waits ?? false };
}

export function RecordsPage() {
  useTitle("Records");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [opened, dialog] = useNewDialog();
  const canCreate = useCan()("entities.team.create");
  const canDefine = useCan()("entity_types.team.manage");
  const { facts } = useFirstSteps(); // they say what to do first
  const types = useEveryPage(useEntityTypes());
  const change = (part: Partial<RecordsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const newRecord = canCreate && types.rows && types.rows.length > 0 && (
    <Button leftSection={<PlusIcon />} onClick={dialog.open}>
      New record
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Records"
        description="What your team holds to be true, and who says so."
        actions={
          newRecord && (
            <Group gap="xs">
              <Button
                renderRoot={(props) => <Link {...props} to="/records/import" search={search.type ? { type: search.type } : {}} />}
                variant="default"
                leftSection={<UploadIcon />}
              >
                Import
              </Button>
              {newRecord}
            </Group>
          )
        }
      />
      <FirstSteps newRecord={newRecord} />
      {search.populating && (
        <PopulationProgress sessionId={search.populating} onAway={() => change({ populating: undefined })} />
      )}
      <PagedRows list={types} what="types" empty={facts && canDefine ? null : <NoTypesYet />}>
        {(rows) => (
          <RecordList
            search={{ ...search, type: types.query.hasNextPage ? search.type : knownType(search.type, rows) }}
            types={rows}
            newRecord={newRecord}
            selectionActs={(selection) => (
              <>
                <AssignSelected selection={selection} />
                <PopulateSelected
                  selection={selection}
                  filter={filterOf(search)}
                  onStarted={(populating) => change({ populating })}
                />
              </>
            )}
            onChange={change}
          />
        )}
      </PagedRows>
      <NewRecordDialog
        opened={opened && canCreate}
        types={types.rows ?? []}
        type={search.type}
        onClose={dialog.close}
        onCreated={({ id }) => void navigate({ to: "/records/$id", params: { id }, search: {} })}
      />
    </>
  );
}
