import { VisuallyHidden } from "@mantine/core";
import { useId } from "react";
import type { EvalReport } from "@/api/types";
import { placeOn } from "@/ui/chart/scale";
import { interval, points } from "../lib/numbers";
import { plotRows, plotScale } from "../lib/plot";
import classes from "./evals.module.css";

const ROW = 34;
const AXIS = 26;

/** The difference to the baseline with its interval, one row an agent: never a bare number. The figures are in a table for
 * those who cannot see it. */
export function IntervalPlot({ reports, margin }: { reports: readonly EvalReport[]; margin: number }) {
  const rows = plotRows(reports);
  const scale = plotScale(rows, margin);
  const caption = useId();
  if (rows.length === 0) return null;
  const height = rows.length * ROW + AXIS;
  const at = (value: number) => `${100 * placeOn(scale, value)}%`;
  const width = (from: number, to: number) => `${100 * (placeOn(scale, to) - placeOn(scale, from))}%`;
  return (
    <figure className={classes.plot} aria-labelledby={caption}>
      <div className={classes.plotRows} aria-hidden>
        <div className={classes.plotNames}>
          {rows.map(({ name }) => (
            <span key={name} style={{ height: ROW }} title={name}>
              {name}
            </span>
          ))}
        </div>
        <svg width="100%" height={height} className={classes.plotDrawing}>
          <rect x={at(-margin)} width={width(-margin, margin)} y={0} height={rows.length * ROW} className={classes.plotMargin} />
          {scale.ticks.map((tick) => (
            <g key={tick}>
              <line x1={at(tick)} x2={at(tick)} y1={0} y2={rows.length * ROW} className={tick === 0 ? classes.plotZero : classes.plotTick} />
              <text x={at(tick)} y={height - 8} textAnchor={tick === scale.from ? "start" : tick === scale.to ? "end" : "middle"} className={classes.plotLabel}>
                {points(tick)}
              </text>
            </g>
          ))}
          {rows.map(({ name, difference, low, high }, place) => {
            const y = place * ROW + ROW / 2;
            const look = high < 0 ? "worse" : low > 0 ? "better" : "open";
            return (
              <g key={name} className={classes.plotRow} data-look={look}>
                <line x1={at(low)} x2={at(high)} y1={y} y2={y} strokeWidth={3} />
                <line x1={at(low)} x2={at(low)} y1={y - 6} y2={y + 6} strokeWidth={2} />
                <line x1={at(high)} x2={at(high)} y1={y - 6} y2={y + 6} strokeWidth={2} />
                <circle cx={at(difference)} cy={y} r={5.5} />
              </g>
            );
          })}
        </svg>
      </div>
      <figcaption id={caption} className={classes.plotCaption}>
        Difference to the baseline in points, with its 90% interval. The band is the margin, {points(-margin)} to {points(margin)}.
      </figcaption>
      <VisuallyHidden>
        <table aria-label="Difference to the baseline in points">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Difference</th>
              <th scope="col">90% interval</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, difference, low, high }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{points(difference)}</td>
                <td>{interval(low, high)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}
