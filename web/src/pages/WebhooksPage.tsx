import { Button } from "@mantine/core";
import { PaperPlaneIcon, PlusIcon } from "@radix-ui/react-icons";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { WebhookDialog } from "@/features/webhooks/components/WebhookDialog";
import { WebhookList } from "@/features/webhooks/components/WebhookList";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, NoAccess } from "@/ui/states";
import { useNewDialog } from "@/ui/useNewDialog";
import { useTitle } from "@/ui/useTitle";

export function WebhooksPage() {
  useTitle("Webhooks", "Settings");
  const [opened, dialog] = useNewDialog();
  const canManage = useCan()("webhooks.team.manage");
  const newWebhook = (
    <Button leftSection={<PlusIcon />} onClick={dialog.open}>
      New webhook
    </Button>
  );
  return (
    <>
      <PageHeader
        order={2}
        title="Webhooks"
        description="Whatever happens here is sent to other programs: signed, in order, and tried again for a day."
        actions={canManage && newWebhook}
      />
      {canManage ? (
        <WebhookList
          empty={
            <EmptyState icon={<PaperPlaneIcon width={20} height={20} />} title="No webhooks yet" action={newWebhook}>
              Name an address, choose events, and each of them is sent there within a second or two.
            </EmptyState>
          }
        />
      ) : (
        <NoAccess what="webhooks" />
      )}
      <WebhookDialog webhook={opened && canManage ? "new" : null} onClose={dialog.close} />
    </>
  );
}
