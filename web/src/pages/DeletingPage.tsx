import { Paper, Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { EraseUserForm } from "@/features/erasures/components/EraseUserForm";
import { ErasureDrawer } from "@/features/erasures/components/ErasureDrawer";
import { ErasuresTable } from "@/features/erasures/components/ErasuresTable";
import { RetentionForm } from "@/features/erasures/components/RetentionForm";
import { useRetention } from "@/features/erasures/hooks/useErasures";
import { useCan, useWorkspace } from "@/features/tenants/hooks/useWorkspace";
import { Loaded } from "@/ui/Loaded";
import { PageHeader } from "@/ui/PageHeader";
import { LoadingRows, NoAccess } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/settings/deleting");

export function DeletingPage() {
  useTitle("Deleting", "Settings");
  const { isPending } = useWorkspace();
  const can = useCan()("erasures.team.manage");
  if (isPending) return <LoadingRows label="deletions" />;
  return can ? <Body /> : <NoAccess what="deleting for good" />;
}

function Body() {
  const navigate = route.useNavigate();
  const { erasure } = route.useSearch();
  const open = (id: string | undefined) => void navigate({ search: { erasure: id } });
  return (
    <Stack gap={40}>
      <section>
        <PageHeader
          order={2}
          title="Delete an end user"
          description="Their conversations and sessions, what they said elsewhere, the feedback they gave and every word that was kept of it."
        />
        <EraseUserForm />
      </section>
      <section>
        <PageHeader order={2} title="Deletions" description="What was asked to go, how far it is, and what stays and why." />
        <ErasuresTable onOpen={open} />
      </section>
      <section>
        <PageHeader
          order={2}
          title="How long things are kept"
          description="Older ones are deleted in the background. Goldens, and what others refer to, are kept and named."
        />
        <Paper withBorder radius="lg" p="lg">
          <Loaded query={useRetention()} what="how long things are kept">
            {(retention) => <RetentionForm key={JSON.stringify(retention)} retention={retention} />}
          </Loaded>
        </Paper>
      </section>
      <ErasureDrawer id={erasure} onClose={() => open(undefined)} />
    </Stack>
  );
}
