import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useMemo, useState } from "react";
import type { SatisfactionReport } from "@/api/types";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { percent } from "../lib/reactions";
import { type Group as Grouped, INTERVAL, conversationsOf, groupLabel, interval, toGroups } from "../lib/satisfaction";
import type { GroupBy, SatisfactionSearch } from "../lib/search";
import { RateChart } from "./RateChart";
import classes from "./conversations.module.css";

const HEIGHT = 120; // pixels: many of them are on a page
const DRAWN = 8; // charts at first; the table has all of them
const TITLE: Record<GroupBy, string> = { project: "By project", agent: "By agent", origin: "By origin" };

interface SatisfactionGroupsProps {
  report: SatisfactionReport;
  search: SatisfactionSearch;
}

/** The same rate for each project, agent or origin, side by side on the same axes. */
export function SatisfactionGroups({ report, search }: SatisfactionGroupsProps) {
  const [all, setAll] = useState(false);
  const by = report.by ?? "project";
  const groups = useMemo(() => toGroups(report), [report]);
  const span: [number, number] = [Date.parse(report.start), Date.parse(report.end)];
  const drawn = all ? groups : groups.slice(0, DRAWN);
  return (
    <Stack component="section" gap="md" aria-labelledby="groups">
      <Title order={2} id="groups">
        {TITLE[by]}
      </Title>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {drawn.map(({ name, overall, points }) => (
          <Paper key={name ?? ""} component="figure" withBorder radius="lg" p="md" m={0}>
            <Group component="figcaption" justify="space-between" gap={8} mb={6} wrap="nowrap">
              <Text span size="sm" fw={600} className={classes.id}>
                {groupLabel(name, by)}
              </Text>
              <Text span size="sm" className={classes.number}>
                {overall.rate === null ? "–" : percent(overall.rate)}
              </Text>
            </Group>
            <RateChart
              label={`Satisfaction over time: ${groupLabel(name, by)}`}
              searchOf={(at) => conversationsOf(at, report, search, { by, name })}
              points={points}
              bucket={report.bucket}
              span={span}
              height={HEIGHT}
            />
          </Paper>
        ))}
      </SimpleGrid>
      {groups.length > drawn.length && (
        <Group>
          <Button variant="default" size="xs" onClick={() => setAll(true)}>
            Draw all {groups.length}
          </Button>
        </Group>
      )}
      <DataTable label={TITLE[by]} columns={columns(by)} rows={groups} rowKey={({ name }) => name ?? ""} />
    </Stack>
  );
}

function columns(by: GroupBy): Column<Grouped>[] {
  const count = (key: "ok" | "neutral" | "not_ok" | "total", header: string): Column<Grouped> => ({
    key,
    header,
    cell: ({ overall }) => overall[key].toLocaleString("en"),
  });
  return [
    { key: "group", header: TITLE[by].replace("By ", "").replace(/^./, (c) => c.toUpperCase()), cell: ({ name }) => groupLabel(name, by) },
    { key: "rate", header: "Rate", cell: ({ overall }) => (overall.rate === null ? "–" : percent(overall.rate)) },
    { key: "interval", header: INTERVAL, cell: ({ overall }) => interval(overall) },
    count("ok", "OK"),
    count("neutral", "Neutral"),
    count("not_ok", "Not OK"),
    count("total", "Reactions"),
  ];
}
