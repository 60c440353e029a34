import { Anchor, Stack, Text } from "@mantine/core";
import type { Delivery, DeliveryStatus } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useDeliveries } from "../hooks/useWebhooks";
import { DeliveryBadge } from "./WebhookState";

interface DeliveriesTableProps {
  webhookId: string;
  status: DeliveryStatus | undefined;
  event: string | undefined;
  onOpen: (id: string) => void;
}

/** What was sent, newest first. */
export function DeliveriesTable({ webhookId, status, event, onOpen }: DeliveriesTableProps) {
  const deliveries = useDeliveries(webhookId, status, event);
  const columns: Column<Delivery>[] = [
    {
      key: "event",
      header: "Event",
      cell: (delivery) => (
        <Stack gap={0} align="flex-start">
          <Anchor component="button" type="button" size="sm" fw={550} ta="left" onClick={() => onOpen(delivery.id)}>
            {delivery.event}
          </Anchor>
          {delivery.last_error && (
            <Text size="xs" c="dimmed" lineClamp={1}>
              {delivery.last_error}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: "status",
      header: "Status",
      cell: (delivery) => <DeliveryBadge status={delivery.status} answered={delivery.last_status} />,
    },
    { key: "attempts", header: "Attempts", cell: ({ attempts }) => attempts },
    { key: "event_at", header: "Happened", cell: ({ event_at }) => <RelativeTime value={event_at} /> },
    { key: "ended_at", header: "Ended", cell: ({ ended_at }) => <RelativeTime value={ended_at} /> },
    { key: "next_at", header: "Next attempt", cell: ({ next_at }) => <RelativeTime value={next_at} /> },
  ];
  const isFiltered = status !== undefined || event !== undefined;
  return (
    <PagedRows
      list={deliveries}
      what="deliveries"
      empty={
        <EmptyState title={isFiltered ? "No such deliveries" : "Nothing was sent yet"}>
          {isFiltered
            ? "Choose another status or event above."
            : "Each event that is sent is listed here for 30 days, with what was answered. Send a test to see one."}
        </EmptyState>
      }
    >
      {(rows) => <DataTable label="Deliveries" columns={columns} rows={rows} rowKey={({ id }) => id} />}
    </PagedRows>
  );
}
