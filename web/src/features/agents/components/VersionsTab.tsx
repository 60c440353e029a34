import { Anchor, Badge, Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useRef } from "react";
import type { Agent, AgentVersion } from "@/api/types";
import { ChainLinks } from "@/features/entities/components/ChainLinks";
import { partyName } from "@/features/entities/lib/provenance";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { Loaded } from "@/ui/Loaded";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useConfigActions, useVersion, useVersions } from "../hooks/useAgentConfig";
import { partWord } from "../lib/config";
import { chosenPair } from "../lib/versionDiff";
import { AgentSection } from "./AgentSection";
import { VersionDiffView } from "./VersionDiffView";
import classes from "./agents.module.css";

const listed = new Intl.ListFormat("en", { type: "conjunction" });

interface VersionsTabProps {
  agent: Agent;
  /** As the address has them. */
  from: number | undefined;
  to: number | undefined;
  onPair: (pair: { from: number; to: number }) => void;
}

export function VersionsTab({ agent, from, to, onPair }: VersionsTabProps) {
  const versions = useVersions(agent.id);
  const restore = useRestore(agent);
  const canManage = useCan()("agents.team.manage");
  const comparison = useRef<HTMLDivElement>(null);
  const compare = (version: number) => {
    onPair({ from: version - 1, to: version });
    comparison.current?.scrollIntoView({ block: "nearest" });
  };
  return (
    <PagedRows
      list={versions}
      what="versions"
      empty={
        <EmptyState title="No versions yet">
          Each time the configuration is saved, what it was is kept here, to be compared and restored.
        </EmptyState>
      }
    >
      {(rows) => {
        const newest = rows[0]?.version ?? 0;
        const pair = chosenPair(newest, from, to);
        return (
          <Stack gap="lg">
            <div ref={comparison} className={classes.comparison}>
              <Comparison agentId={agent.id} newest={newest} pair={pair} onPair={onPair} />
            </div>
            <DataTable
              label="Versions"
              columns={columnsOf(agent.id, newest, compare, canManage ? restore : null)}
              rows={rows}
              rowKey={({ version }) => String(version)}
            />
          </Stack>
        );
      }}
    </PagedRows>
  );
}

function useRestore(agent: Agent) {
  const { restore } = useConfigActions(agent.id);
  return (version: number, newest: number) =>
    confirmDanger({
      title: `Restore version ${version}?`,
      children: `${agent.name} runs with it again, as version ${newest + 1}. Version ${newest} stays in the list.`,
      action: "Restore",
      onConfirm: () =>
        restore.mutate(version, {
          onSuccess: (made) => notifyDone(`Version ${version} was restored as version ${made.version}.`),
          onError: (error) => notifyProblem("Nothing was restored", error),
        }),
    });
}

function columnsOf(
  agentId: string,
  newest: number,
  compare: (version: number) => void,
  restore: ((version: number, newest: number) => void) | null,
): Column<AgentVersion>[] {
  return [
    {
      key: "version",
      header: "Version",
      cell: ({ version }) => (
        <Group gap={8} wrap="nowrap">
          <Text size="sm" fw={550}>
            {version}
          </Text>
          {version === newest && <Badge color="green">Current</Badge>}
        </Group>
      ),
    },
    {
      key: "created_at",
      header: "Saved",
      cell: ({ created_at, created_by }) => (
        <Stack gap={0}>
          <RelativeTime value={created_at} />
          <Text size="xs" c="dimmed">
            {partyName(created_by)}
          </Text>
        </Stack>
      ),
    },
    { key: "changed", header: "Changed", cell: (version) => <Changed version={version} /> },
    {
      key: "chain",
      header: "Chain",
      hideHeader: true,
      cell: ({ version }) => <ChainLinks of={`agent:${agentId}@${version}`} name={`version ${version}`} isFirst />,
    },
    {
      key: "actions",
      header: "Actions",
      hideHeader: true,
      cell: ({ version }) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`What version ${version} changed`}
            onClick={() => compare(version)}
          >
            Compare
          </Button>
          {restore && version !== newest && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Restore version ${version}`}
              onClick={() => restore(version, newest)}
            >
              Restore
            </Button>
          )}
        </Group>
      ),
    },
  ];
}

function Changed({ version: { changed, note, restored_from } }: { version: AgentVersion }) {
  const words = changed.map(partWord);
  return (
    <Stack gap={0} maw={420}>
      {restored_from !== null && <Text size="sm">Version {restored_from} was restored</Text>}
      <Text size="sm">{words.length > 0 ? listed.format(words) : restored_from === null && "Only the note"}</Text>
      {note && (
        <Text size="xs" c="dimmed" className={classes.note}>
          {note}
        </Text>
      )}
    </Stack>
  );
}

interface ComparisonProps {
  agentId: string;
  newest: number;
  pair: { from: number; to: number };
  onPair: VersionsTabProps["onPair"];
}

function Comparison({ agentId, newest, pair, onPair }: ComparisonProps) {
  const before = useVersion(agentId, pair.from);
  const after = useVersion(agentId, pair.to);
  const options = Array.from({ length: newest }, (_, place) => {
    const version = newest - place;
    return { value: String(version), label: `Version ${version}` };
  });
  return (
    <AgentSection title="Compare">
      <div className={classes.pair}>
        <NativeSelect
          label="Before"
          value={String(pair.from)}
          data={[...options, { value: "0", label: "Before the first" }]}
          onChange={(event) => onPair({ ...pair, from: Number(event.currentTarget.value) })}
        />
        <NativeSelect
          label="After"
          value={String(pair.to)}
          data={options}
          onChange={(event) => onPair({ ...pair, to: Number(event.currentTarget.value) })}
        />
        <Anchor component="button" type="button" size="sm" pb={8} onClick={() => onPair({ from: pair.to, to: pair.from })} disabled={pair.from === 0}>
          Swap
        </Anchor>
      </div>
      <Loaded query={before} what="the version">
        {(from) => (
          <Loaded query={after} what="the version">
            {(to) => <VersionDiffView key={`${pair.from}/${pair.to}`} before={from?.config ?? null} after={to?.config ?? null} />}
          </Loaded>
        )}
      </Loaded>
    </AgentSection>
  );
}
