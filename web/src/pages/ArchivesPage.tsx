import { Button } from "@mantine/core";
import { ArchiveIcon } from "@radix-ui/react-icons";
import { ArchiveList } from "@/features/archives/components/ArchiveList";
import { useArchiveActions, useArchives } from "@/features/archives/hooks/useArchives";
import { isOpen } from "@/features/archives/lib/archives";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { notifyProblem } from "@/ui/notify";
import { PageHeader } from "@/ui/PageHeader";
import { NoAccess } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";

const ABOUT =
  "Everything that the workspace owns in one file, as it was at one moment. Secrets stay here. An archive is kept for seven days; the command goldloop import makes a workspace of it.";

export function ArchivesPage() {
  useTitle("Export", "Settings");
  const canManage = useCan()("archives.team.manage");
  return (
    <>
      <PageHeader order={2} title="Export" description={ABOUT} actions={canManage && <StartButton />} />
      {canManage ? <Archives /> : <NoAccess what="archives" />}
    </>
  );
}

function StartButton() {
  const list = useArchives();
  const { start } = useArchiveActions();
  return (
    <Button
      leftSection={<ArchiveIcon />}
      loading={start.isPending}
      disabled={list.rows?.some(isOpen) ?? true}
      onClick={() => start.mutate(undefined, { onError: (error) => notifyProblem("The export was not started", error) })}
    >
      Export the workspace
    </Button>
  );
}

function Archives() {
  return <ArchiveList list={useArchives()} />;
}
