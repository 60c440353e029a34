import { NativeSelect, Paper, Skeleton, Stack, Table, Text, Title, VisuallyHidden } from "@mantine/core";
import { BarChartIcon } from "@radix-ui/react-icons";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, lazy, useId, useMemo } from "react";
import type { FeedbackCount } from "@/api/types";
import { PeriodSelect } from "@/features/conversations/components/PeriodSelect";
import { bounds, isChosen } from "@/features/conversations/lib/period";
import { bucketFormat } from "@/features/conversations/lib/satisfaction";
import { Loaded } from "@/ui/Loaded";
import { EmptyState } from "@/ui/states";
import { DAYS_SHOWN, useCounts } from "../hooks/useLoop";
import { type Bar, feedbackOf, toBars, totalsOf } from "../lib/counts";
import { type TrendsSearch, UNITS, type Unit } from "../lib/search";
import { RATINGS, RATING_LOOK, SOURCES, SOURCE_LABEL } from "../lib/words";
import type { Band } from "./Bars";
import classes from "./feedback.module.css";

// The drawing library is as large as the rest of the page: it comes when there is something to draw.
const Bars = lazy(() => import("./Bars"));

const HEIGHT = 220; // pixels
const UNIT_LABEL = { day: "By day", week: "By week", month: "By month" } as const;
const RATING_COLOR = { negative: "var(--mantine-color-red-outline)", neutral: "var(--mantine-color-gray-5)", positive: "var(--mantine-color-green-outline)" } as const;
const SOURCE_COLOR = {
  chat: "var(--mantine-color-blue-outline)",
  response: "var(--mantine-color-gold-4)",
  extraction: "var(--mantine-color-orange-outline)",
  tool: "var(--mantine-color-green-outline)",
  session: "var(--mantine-color-red-outline)",
  observation: "var(--mantine-color-gray-5)",
} as const;
const RATING_BANDS: readonly Band[] = RATINGS.map((part) => ({
  part,
  label: RATING_LOOK[part].label,
  color: RATING_COLOR[part],
}));
const SOURCE_BANDS: readonly Band[] = SOURCES.map((part) => ({ part, label: SOURCE_LABEL[part], color: SOURCE_COLOR[part] }));

interface FeedbackTrendsProps {
  search: TrendsSearch;
  onChange: (change: Partial<TrendsSearch>) => void;
}

/** How much feedback came, by rating and by source. */
export function FeedbackTrends({ search, onChange }: FeedbackTrendsProps) {
  const unit = search.unit ?? "day";
  return (
    <Stack gap="lg">
      <div className={classes.filters} data-bare role="search" aria-label="Over time">
        <PeriodSelect period={search} fallback={DAYS_SHOWN} onChange={({ days, start, end }) => onChange({ days, start, end })} />
        <NativeSelect
          aria-label="In steps of"
          value={unit}
          data={UNITS.map((value) => ({ value: value as string, label: UNIT_LABEL[value] }))}
          onChange={(event) => {
            const chosen = UNITS.find((each) => each === event.currentTarget.value);
            onChange({ unit: chosen === "day" ? undefined : chosen });
          }}
        />
      </div>
      <Loaded query={useCounts(search)} what="feedback over time">
        {(counts) => (counts.length === 0 ? <NoFeedback /> : <Charts counts={counts} search={search} unit={unit} />)}
      </Loaded>
    </Stack>
  );
}

interface ChartsProps {
  counts: readonly FeedbackCount[];
  search: TrendsSearch;
  unit: Unit;
}

function Charts({ counts, search: { days, start, end }, unit }: ChartsProps) {
  const [byRating, bySource] = useMemo(() => {
    const period = { days, start, end };
    const limits = bounds(isChosen(period) ? period : { days: days ?? DAYS_SHOWN }, new Date());
    const times = counts.map(({ at }) => Date.parse(at));
    const span: [number, number] = [
      limits.start ? Date.parse(limits.start) : Math.min(...times),
      limits.end ? Date.parse(limits.end) : Date.now(),
    ];
    return [toBars(counts, "rating", unit, span), toBars(counts, "source_type", unit, span)];
  }, [counts, unit, days, start, end]);
  return (
    <>
      <Chart title="By rating" bars={byRating} bands={RATING_BANDS} unit={unit} />
      <Chart title="By source" bars={bySource} bands={SOURCE_BANDS} unit={unit} />
    </>
  );
}

interface ChartProps {
  title: string;
  bars: Bar[];
  bands: readonly Band[];
  unit: Unit;
}

function Chart({ title, bars, bands, unit }: ChartProps) {
  const heading = useId();
  const navigate = useNavigate();
  const totals = totalsOf(bars, bands.map(({ part }) => part));
  const drawn = bands.filter(({ part }) => totals.some((total) => total.part === part));
  const format = bucketFormat(unit, true);
  return (
    <Paper component="section" withBorder radius="lg" p="md" aria-labelledby={heading}>
      <Title order={2} mb={8} id={heading}>
        {title}
      </Title>
      <ul className={classes.legend}>
        {drawn.map(({ part, label, color }) => (
          <li key={part}>
            <span className={classes.swatch} style={{ background: color }} />
            {label} <Text span size="sm" c="dimmed">{totals.find((total) => total.part === part)?.count.toLocaleString("en")}</Text>
          </li>
        ))}
      </ul>
      <div role="group" aria-label={`${title}, as a chart`} style={{ height: HEIGHT }}>
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          <Bars
            bars={bars}
            bands={drawn}
            unit={unit}
            height={HEIGHT}
            onPick={(at) => void navigate({ to: "/admin/agent-review/feedback/all", search: feedbackOf(at, unit) })}
          />
        </Suspense>
      </div>
      <VisuallyHidden>
        <Table aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">When</Table.Th>
              {drawn.map(({ part, label }) => (
                <Table.Th key={part} scope="col">
                  {label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {bars
              .filter(({ total }) => total > 0)
              .map(({ at, parts }) => (
                <Table.Tr key={at}>
                  <Table.Td>{format(at)}</Table.Td>
                  {drawn.map(({ part }) => (
                    <Table.Td key={part}>{parts[part] ?? 0}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      </VisuallyHidden>
    </Paper>
  );
}

function NoFeedback() {
  return (
    <EmptyState icon={<BarChartIcon width={20} height={20} />} title="No feedback came">
      There is none in this period. Choose a longer one.
    </EmptyState>
  );
}
