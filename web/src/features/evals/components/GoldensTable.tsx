import { ActionIcon, Anchor, Group, Menu, Text } from "@mantine/core";
import { DotsHorizontalIcon, Pencil1Icon, PlayIcon, TrashIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Golden } from "@/api/types";
import { excerpt } from "@/features/conversations/lib/excerpts";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useGoldens } from "../hooks/useGoldens";
import { useRevoke } from "../hooks/useRevoke";
import { EFFECTS_LOOK, plural } from "../lib/words";
import { FloorLine } from "./FloorLine";
import { EditGoldenDialog } from "./PromoteDialog";
import { ReplayDialog } from "./ReplayDialog";
import classes from "./evals.module.css";

const TITLE_SHOWN = 120; // characters

export function goldenTitle({ firstMessage, agent }: Pick<Golden, "firstMessage" | "agent">): string {
  return excerpt(firstMessage, TITLE_SHOWN) || `A session of ${agent ?? "an agent"}`;
}

/** The goldens of a set, newest first. */
export function GoldensTable({ set }: { set: string }) {
  const list = useGoldens(set);
  const may = useCan()("evals.team.manage");
  const [replayed, setReplayed] = useState<Golden | null>(null);
  const [edited, setEdited] = useState<Golden | null>(null);
  const columns: Column<Golden>[] = [
    { key: "golden", header: "Golden", cell: (golden) => <Title golden={golden} /> },
    { key: "floor", header: "Noise floor", cell: (golden) => <FloorLine golden={golden} /> },
    { key: "held", header: "Held to", cell: (golden) => <HeldTo golden={golden} /> },
    { key: "promoted", header: "Promoted", cell: ({ promotedAt }) => <RelativeTime value={promotedAt} /> },
    ...(may
      ? [
          {
            key: "acts",
            header: "Acts",
            hideHeader: true,
            cell: (golden: Golden) => <Acts golden={golden} onReplay={() => setReplayed(golden)} onEdit={() => setEdited(golden)} />,
          },
        ]
      : []),
  ];
  return (
    <>
      <PagedRows
        list={list}
        what="goldens"
        empty={<EmptyState title="This set is empty">Goldens were moved or revoked. Promote a session into it, and it is of use again.</EmptyState>}
      >
        {(rows) => <DataTable label="Goldens" columns={columns} rows={rows} rowKey={({ sessionId }) => sessionId} />}
      </PagedRows>
      <ReplayDialog target={replayed && { golden: replayed }} onClose={() => setReplayed(null)} />
      <EditGoldenDialog golden={edited} onClose={() => setEdited(null)} />
    </>
  );
}

function Title({ golden }: { golden: Golden }) {
  return (
    <div className={classes.goldenTitle}>
      <Anchor size="sm" fw={550} dir="auto" renderRoot={(props) => <Link to="/admin/agent-review/evals/golden/$id" params={{ id: golden.sessionId }} {...props} />}>
        {goldenTitle(golden)}
      </Anchor>
      <Text size="xs" c="dimmed">
        <bdi>{golden.agent ?? "An agent elsewhere"}</bdi>
        {golden.agentVersion !== null && `, version ${golden.agentVersion}`}
        {golden.note && (
          <>
            {" · "}
            <span dir="auto">{golden.note}</span>
          </>
        )}
      </Text>
    </div>
  );
}

function HeldTo({ golden: { effects, facts, criteriaSetId, alternatives, minPass } }: { golden: Golden }) {
  const parts = [
    `Effects: ${EFFECTS_LOOK[effects].label.toLowerCase()}`,
    facts.length > 0 && plural(facts.length, "fact"),
    criteriaSetId !== null && "rubric",
    alternatives.length > 0 && plural(alternatives.length, "alternative"),
    minPass !== null && `at least ${Math.round(minPass * 100)}% pass`,
  ].filter(Boolean);
  return (
    <Text size="sm" className={classes.heldTo} title={facts.length > 0 ? `It must say: ${facts.join("; ")}` : EFFECTS_LOOK[effects].means}>
      {parts.join(" · ")}
    </Text>
  );
}

interface ActsProps {
  golden: Golden;
  onReplay: () => void;
  onEdit: () => void;
}

function Acts({ golden, onReplay, onEdit }: ActsProps) {
  const { askToRevoke, isPending } = useRevoke(golden.sessionId);
  const title = goldenTitle(golden);
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`What can be done with ${title}`} loading={isPending}>
            <DotsHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<PlayIcon />} onClick={onReplay}>
            Replay…
          </Menu.Item>
          <Menu.Item leftSection={<Pencil1Icon />} onClick={onEdit}>
            Edit…
          </Menu.Item>
          <Menu.Item leftSection={<TrashIcon />} color="red" onClick={askToRevoke}>
            Revoke…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
