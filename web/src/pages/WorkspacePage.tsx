import { Paper, Stack } from "@mantine/core";
import { ClaimSettingsForm } from "@/features/claims/components/ClaimSettingsForm";
import { useClaimSettings } from "@/features/claims/hooks/useClaims";
import { EraseButton } from "@/features/erasures/components/EraseButton";
import { RolesTable } from "@/features/tenants/components/RolesTable";
import { WorkspaceForm } from "@/features/tenants/components/WorkspaceForm";
import { useWorkspace } from "@/features/tenants/hooks/useWorkspace";
import { Loaded } from "@/ui/Loaded";
import { PageHeader } from "@/ui/PageHeader";
import { ErrorState, LoadingRows } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";

export function WorkspacePage() {
  useTitle("Workspace", "Settings");
  const { data: workspace, error, isPending, refetch } = useWorkspace();
  if (isPending) return <LoadingRows label="workspace" />;
  if (!workspace) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap={40}>
      <section>
        <PageHeader order={2} title="Workspace" />
        <Paper withBorder radius="lg" p="lg">
          <WorkspaceForm key={workspace.name} workspace={workspace} />
        </Paper>
      </section>
      <section>
        <PageHeader
          order={2}
          title="Roles"
          description="Each role can do what those above it can. A key can be narrowed further by its scopes."
        />
        <RolesTable ownRole={workspace.role} />
      </section>
      <section>
        <PageHeader
          order={2}
          title="Claims"
          description="A claim carries how many sources support it and how good those are. Say here what this workspace calls sources; claims are what they lead to."
        />
        <Paper withBorder radius="lg" p="lg">
          <ClaimSettings />
        </Paper>
      </section>
      {workspace.role === "owner" && (
        <section>
          <PageHeader
            order={2}
            title="Delete the workspace"
            description="Everything in it goes, for everybody, and nobody can bring it back. Export or back up first what you want to keep."
          />
          <EraseButton what={`the workspace ${workspace.name}`} label="Delete workspace" confirm={workspace.slug} erasure={{ kind: "workspace" }} />
        </section>
      )}
    </Stack>
  );
}

function ClaimSettings() {
  return (
    <Loaded query={useClaimSettings()} what="claim settings">
      {(settings) => <ClaimSettingsForm key={JSON.stringify(settings)} settings={settings} />}
    </Loaded>
  );
}
