import type { ReactNode } from "react";
import classes from "./chart.module.css";

/** What the drawing library tells of the point that is pointed at. */
export interface Pointed<Point> {
  active?: boolean;
  payload?: readonly { payload?: Point }[];
}

export function pointOf<Point>({ active, payload }: Pointed<Point>): Point | undefined {
  return active ? payload?.[0]?.payload : undefined;
}

export function ChartTip({ children }: { children: ReactNode }) {
  return <div className={classes.tip}>{children}</div>;
}
