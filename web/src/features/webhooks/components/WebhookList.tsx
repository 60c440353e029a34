import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Webhook } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useWebhooks } from "../hooks/useWebhooks";
import { eventsText } from "../lib/webhooks";
import { WebhookActs, WebhookSwitch } from "./WebhookActs";
import { WebhookState } from "./WebhookState";

const COLUMNS: Column<Webhook>[] = [
  {
    key: "url",
    header: "Webhook",
    cell: ({ id, url, description }) => (
      <Stack gap={0}>
        <Anchor
          size="sm"
          fw={550}
          c="inherit"
          style={{ overflowWrap: "anywhere" }}
          renderRoot={(props) => <Link to="/settings/webhooks/$id" params={{ id }} {...props} />}
        >
          {url}
        </Anchor>
        {description && (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: "events",
    header: "Events",
    cell: ({ events }) => (
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {eventsText(events)}
      </Text>
    ),
  },
  { key: "state", header: "State", cell: (webhook) => <WebhookState webhook={webhook} /> },
  { key: "success", header: "Last success", cell: ({ last_success_at }) => <RelativeTime value={last_success_at} none="Never" /> },
  { key: "enabled", header: "Switched on", cell: (webhook) => <WebhookSwitch webhook={webhook} /> },
  { key: "acts", header: "Actions", hideHeader: true, cell: (webhook) => <WebhookActs webhook={webhook} /> },
];

export function WebhookList({ empty }: { empty: ReactNode }) {
  const webhooks = useWebhooks();
  return (
    <PagedRows list={webhooks} what="webhooks" empty={empty}>
      {(rows) => <DataTable label="Webhooks" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />}
    </PagedRows>
  );
}
