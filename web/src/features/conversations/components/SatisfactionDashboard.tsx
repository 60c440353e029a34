import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { BarChartIcon, DownloadIcon } from "@radix-ui/react-icons";
import { useMemo, useState } from "react";
import type { Satisfaction, SatisfactionReport } from "@/api/types";
import { Loaded } from "@/ui/Loaded";
import { download } from "@/ui/download";
import { notifyProblem } from "@/ui/notify";
import { EmptyState } from "@/ui/states";
import { useSatisfaction, useSatisfactionCsv } from "../hooks/useSatisfaction";
import { percent } from "../lib/reactions";
import { INTERVAL, conversationsOf, interval, reactionsOf, toPoints } from "../lib/satisfaction";
import type { SatisfactionSearch } from "../lib/search";
import { RateChart } from "./RateChart";
import { ReactionShares } from "./ReactionShares";
import { SatisfactionFilters } from "./SatisfactionFilters";
import { SatisfactionGroups } from "./SatisfactionGroups";
import classes from "./conversations.module.css";

const STEPS = { day: "by day", week: "by week", month: "by month" } as const;
const HEIGHT = 220; // pixels: enough to tell 5 points apart

interface SatisfactionDashboardProps {
  search: SatisfactionSearch;
  onChange: (change: Partial<SatisfactionSearch>) => void;
}

/** How many of those who react are content, over time. */
export function SatisfactionDashboard({ search, onChange }: SatisfactionDashboardProps) {
  const whole = useSatisfaction(search, undefined);
  const grouped = useSatisfaction(search, search.by, search.by !== undefined);
  return (
    <Stack gap="lg">
      <SatisfactionFilters search={search} onChange={onChange} />
      <Loaded query={whole} what="satisfaction">
        {(report) => {
          const [overall] = report.overall;
          if (!overall || overall.total === 0) return <NobodyReacted />;
          return (
            <>
              <Together report={report} overall={overall} search={search} />
              {search.by && (
                <Loaded query={grouped} what="satisfaction">
                  {(byGroup) => <SatisfactionGroups report={byGroup} search={search} />}
                </Loaded>
              )}
            </>
          );
        }}
      </Loaded>
    </Stack>
  );
}

interface TogetherProps {
  report: SatisfactionReport;
  overall: Satisfaction;
  search: SatisfactionSearch;
}

function Together({ report, overall, search }: TogetherProps) {
  const points = useMemo(() => toPoints(report.data), [report.data]); // or a chart would lose the focus
  const span = useMemo(() => spanOf(report), [report]);
  return (
    <Paper component="section" withBorder radius="lg" p="md" aria-labelledby="together">
      <Group justify="space-between" align="flex-start" mb="sm">
        <div>
          <Title order={2} id="together">
            All together
          </Title>
          <div className={classes.big}>{overall.rate === null ? "–" : percent(overall.rate)}</div>
          <Text size="sm" mt={4}>
            of {reactionsOf(overall.total, report.user_type)} are OK
            {`; ${INTERVAL} ${interval(overall)}`}
          </Text>
        </div>
        <CsvButton search={search} />
      </Group>
      <ReactionShares counts={overall} />
      <figure className={classes.figure}>
        <Text component="figcaption" size="sm" c="dimmed" mb={6}>
          Share of OK, {STEPS[report.bucket]}. The band is its {INTERVAL}; where nobody reacted there is no line. A click on a{" "}
          {report.bucket} shows its conversations.
        </Text>
        <RateChart
          label="Satisfaction over time"
          searchOf={(at) => conversationsOf(at, report, search)}
          points={points}
          bucket={report.bucket}
          span={span}
          height={HEIGHT}
        />
      </figure>
    </Paper>
  );
}

function spanOf({ start, end, data }: SatisfactionReport): [number, number] {
  const times = data.flatMap(({ bucket }) => (bucket ? [Date.parse(bucket)] : []));
  return [Math.min(Date.parse(start), ...times), Math.max(Date.parse(end), ...times)];
}

function CsvButton({ search }: { search: SatisfactionSearch }) {
  const fetchCsv = useSatisfactionCsv(search);
  const [isLoading, setLoading] = useState(false);
  const save = async () => {
    setLoading(true);
    try {
      download(new Blob([await fetchCsv()], { type: "text/csv;charset=utf-8" }), "satisfaction.csv");
    } catch (error) {
      notifyProblem("The table could not be made", error);
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button variant="default" size="xs" leftSection={<DownloadIcon />} loading={isLoading} onClick={() => void save()}>
      CSV
    </Button>
  );
}

function NobodyReacted() {
  return (
    <EmptyState icon={<BarChartIcon width={20} height={20} />} title="Nobody reacted">
      There is no reaction in this period that fits these filters. Choose a longer period, or fewer filters.
    </EmptyState>
  );
}
