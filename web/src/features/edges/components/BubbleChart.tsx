import { Text } from "@mantine/core";
import {
  CartesianGrid,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
  ZIndexLayer,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
} from "recharts";
import { ChartTip, type Pointed, pointOf } from "@/ui/chart/ChartTip";
import { LABEL_SIZE, placeLabels } from "../lib/bubbleLabels";
import { type Axis, type Bubble, type Dot, formatValue } from "../lib/matrixView";

interface BubbleChartProps {
  points: readonly Bubble[];
  /** Drawn underneath, paler: what the points were made of. */
  overlayData: readonly Dot[];
  xAxis: Axis;
  yAxis: Axis;
  zLabel: string | null;
  height: number;
  /** How large to draw everything, where 1 is for a wide page. */
  shrink: number;
}

const TICK = { fill: "var(--mantine-color-dimmed)", fontSize: 11 };
const EDGE = 30; // pixels inside the axes: half of the largest bubble stays in the picture
const LAYER = { overlay: 550, bubbles: 600, labels: 2000 };
const MOST_LABELS = 60; // beyond, most would find no room
const label = (value: string, more: object) => ({
  value,
  fill: "var(--mantine-color-text)",
  fontSize: 12,
  fontWeight: 550,
  ...more,
});

/** On a module of its own, so that the drawing library is loaded only when there is something to draw. */
export default function BubbleChart({ points, overlayData, xAxis, yAxis, zLabel, height, shrink }: BubbleChartProps) {
  const axis = { type: "number" as const, tick: TICK, tickLine: false, axisLine: { stroke: "var(--gl-line)" } };
  const bubbles = points.map((point) => ({ ...point, r: point.r * shrink }));
  const edge = EDGE * shrink;
  const labels = { x: xAxis.label, y: yAxis.label, z: zLabel };
  return (
    <ResponsiveContainer width="100%" height={height}>
      <ScatterChart margin={{ top: 8, right: 12, bottom: 20, left: 8 }} accessibilityLayer={false}>
        <CartesianGrid stroke="var(--gl-line)" />
        <XAxis
          {...axis}
          {...domainOf(xAxis)}
          dataKey="x"
          padding={{ left: edge, right: edge }}
          label={label(xAxis.label, { position: "insideBottom", offset: -12 })}
        />
        <YAxis
          {...axis}
          {...domainOf(yAxis)}
          dataKey="y"
          width={56}
          padding={{ top: edge, bottom: edge }}
          label={label(yAxis.label, { angle: -90, position: "insideLeft", style: { textAnchor: "middle" } })}
        />
        <Tooltip content={<BubbleTip labels={labels} />} isAnimationActive={false} cursor={false} />
        {overlayData.length > 0 && (
          <Scatter
            name="Responses"
            data={[...overlayData]}
            shape={drawDot}
            zIndex={LAYER.overlay}
            isAnimationActive={false}
          />
        )}
        <Scatter
          name="Connections"
          data={bubbles}
          shape={drawBubble}
          zIndex={LAYER.bubbles}
          isAnimationActive={false}
        />
        <BubbleLabels points={bubbles} />
      </ScatterChart>
    </ResponsiveContainer>
  );
}

function domainOf({ domain, ticks }: Axis) {
  return { domain, tickFormatter: formatValue, ...(ticks ? { ticks } : {}) };
}

interface Drawn<Datum> {
  cx?: number;
  cy?: number;
  payload?: Datum;
}

function drawBubble({ cx, cy, payload }: Drawn<Bubble>) {
  return (
    <circle
      data-bubble={payload?.id}
      cx={cx}
      cy={cy}
      r={payload?.r}
      fill="var(--mantine-color-gold-filled)"
      fillOpacity={0.6}
      stroke="var(--gl-accent)"
      strokeWidth={1.5}
    />
  );
}

function drawDot({ cx, cy, payload }: Drawn<Dot>) {
  return <circle data-dot={payload?.count} cx={cx} cy={cy} r={payload?.r} fill="var(--gl-dot)" fillOpacity={0.35} />;
}

function BubbleLabels({ points }: { points: readonly Bubble[] }) {
  const [x, y, area] = [useXAxisScale(), useYAxisScale(), usePlotArea()];
  if (!x || !y || !area || points.length > MOST_LABELS) return null;
  const circles = points.map(({ id, title, r, ...at }) => ({ id, title, r, cx: x(at.x) ?? 0, cy: y(at.y) ?? 0 }));
  return (
    <ZIndexLayer zIndex={LAYER.labels}>
      {placeLabels(circles, area).map(({ id, text, x: left, y: top, anchor }) => (
        <text
          key={id}
          x={left}
          y={top}
          textAnchor={anchor}
          dominantBaseline="central"
          fontSize={LABEL_SIZE}
          fill="var(--mantine-color-text)"
          stroke="var(--mantine-color-body)"
          strokeWidth={3}
          strokeLinejoin="round"
          paintOrder="stroke"
          pointerEvents="none"
        >
          {text}
        </text>
      ))}
    </ZIndexLayer>
  );
}

function withOthers({ title, hidden }: Bubble): string {
  if (hidden === 0) return title;
  return `${title} and ${hidden === 1 ? "one other" : `${hidden} others`} in the same place`;
}

interface BubbleTipProps extends Pointed<Bubble | Dot> {
  labels: { x: string; y: string; z: string | null };
}

function BubbleTip({ labels, ...pointed }: BubbleTipProps) {
  const point = pointOf(pointed);
  if (!point) return null;
  const responses = `${point.count} ${point.count === 1 ? "response" : "responses"}`;
  return (
    <ChartTip>
      <Text size="sm" fw={600}>
        {"title" in point ? withOthers(point) : responses}
      </Text>
      <Text size="xs">{`${labels.x}: ${formatValue(point.x)}`}</Text>
      <Text size="xs">{`${labels.y}: ${formatValue(point.y)}`}</Text>
      {"title" in point && (
        <>
          {labels.z && <Text size="xs">{`${labels.z}: ${formatValue(point.z)}`}</Text>}
          <Text size="xs" c="dimmed">
            {`${point.score === null ? "No score" : `Score ${formatValue(point.score)} of 100`} · ${responses}`}
          </Text>
        </>
      )}
    </ChartTip>
  );
}
