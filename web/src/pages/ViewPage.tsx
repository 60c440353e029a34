import { Button, Code } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { View } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { ViewEditor } from "@/features/views/components/ViewEditor";
import { ViewPreview } from "@/features/views/components/ViewPreview";
import { useRemoveView } from "@/features/views/hooks/useRemoveView";
import { useView } from "@/features/views/hooks/useViews";
import { BackLink } from "@/ui/BackLink";
import { Loaded } from "@/ui/Loaded";
import { PageHeader } from "@/ui/PageHeader";
import { notifyDone } from "@/ui/notify";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/build/views/$id");

export function ViewPage() {
  const { id } = route.useParams();
  const query = useView(id);
  useTitle(query.data?.name ?? "View", "Build");
  return (
    <>
      <BackLink to="/build/views">Views</BackLink>
      <Loaded query={query} what="the view">
        {(view) => <ViewView key={view.id} view={view} />}
      </Loaded>
    </>
  );
}

function ViewView({ view }: { view: View }) {
  const go = useNavigate();
  const navigate = route.useNavigate();
  const { record } = route.useSearch();
  const canManage = useCan()("views.team.manage");
  const remove = useRemoveView(() => void go({ to: "/build/views" }));
  const onRecord = (id: string | undefined) => void navigate({ search: id ? { record: id } : {}, replace: true });
  return (
    <>
      <PageHeader
        order={2}
        title={view.name}
        description={
          <>
            <Code>{view.slug}</Code> {view.entity_type ? `for records of type ${view.entity_type}` : "for all records"}
          </>
        }
        actions={
          canManage && (
            <Button variant="default" onClick={() => remove(view)}>
              Delete
            </Button>
          )
        }
      />
      {canManage ? (
        <ViewEditor
          view={view}
          recordId={record}
          onRecord={onRecord}
          onSaved={({ name }) => notifyDone(`${name} was saved.`)}
        />
      ) : (
        <ViewPreview typeSlug={view.entity_type} blocks={view.blocks} recordId={record} onRecord={onRecord} />
      )}
    </>
  );
}
