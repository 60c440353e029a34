import { Text } from "@mantine/core";
import { Bar as Drawn, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { bucketFormat } from "@/features/conversations/lib/satisfaction";
import { ChartTip, type Pointed, pointOf } from "@/ui/chart/ChartTip";
import type { Bar } from "../lib/counts";
import type { Unit } from "../lib/search";
import { plural } from "../lib/words";

export interface Band {
  part: string;
  label: string;
  color: string;
}

interface BarsProps {
  bars: Bar[];
  bands: readonly Band[];
  unit: Unit;
  height: number;
  /** A click anywhere above or below a bar in which there is something. */
  onPick: (at: number) => void;
}

const TICK = { fill: "var(--mantine-color-dimmed)", fontSize: 11 };

/** On a module of its own, so that the drawing library is loaded only when there is something to draw. */
export default function Bars({ bars, bands, unit, height, onPick }: BarsProps) {
  return (
    <ResponsiveContainer width="100%" height={height}>
      <BarChart
        data={bars}
        margin={{ top: 6, right: 4, bottom: 0, left: -24 }}
        accessibilityLayer={false}
        style={{ cursor: "pointer" }}
        onClick={({ activeLabel }) => {
          const bar = bars.find(({ at }) => at === Number(activeLabel));
          if (bar && bar.total > 0) onPick(bar.at);
        }}
      >
        <CartesianGrid vertical={false} stroke="var(--gl-line)" />
        <XAxis dataKey="at" tickFormatter={bucketFormat(unit)} tick={TICK} tickLine={false} axisLine={{ stroke: "var(--gl-line)" }} minTickGap={40} />
        <YAxis allowDecimals={false} tick={TICK} tickLine={false} axisLine={false} />
        <Tooltip content={<BarTip bands={bands} unit={unit} />} isAnimationActive={false} cursor={{ fill: "var(--gl-hover)" }} />
        {bands.map(({ part, color }) => (
          <Drawn key={part} dataKey={(bar: Bar) => bar.parts[part] ?? 0} stackId="all" fill={color} maxBarSize={28} isAnimationActive={false} />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}

function BarTip({ bands, unit, ...pointed }: Pointed<Bar> & { bands: readonly Band[]; unit: Unit }) {
  const bar = pointOf(pointed);
  if (!bar) return null;
  return (
    <ChartTip>
      <Text size="xs" c="dimmed">
        {bucketFormat(unit, true)(bar.at)}
      </Text>
      {bands
        .filter(({ part }) => (bar.parts[part] ?? 0) > 0)
        .map(({ part, label }) => (
          <Text key={part} size="sm">
            {label}: {bar.parts[part]}
          </Text>
        ))}
      <Text size="xs" c="dimmed">
        {bar.total === 0 ? "Nothing came" : `${plural(bar.total, "item")}. Click to see them`}
      </Text>
    </ChartTip>
  );
}
