/** Schedules as people say them: those that the form makes, and their words. Pure. */
import type { Task } from "@/api/types";

export type Schedule = NonNullable<Task["schedule"]>;

export const REPEATS = [
  { value: "never", label: "By hand only" },
  { value: "hour", label: "Every hour" },
  { value: "day", label: "Every day" },
  { value: "weekday", label: "Monday to Friday" },
  { value: "week", label: "Every week" },
  { value: "month", label: "Every month" },
  { value: "cron", label: "Cron expression" },
] as const;
export type Repeat = (typeof REPEATS)[number]["value"];

export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** What the form holds. `time` is hh:mm, `weekday` counts from Sunday, `day` is that of the month. */
export interface ScheduleDraft {
  repeat: Repeat;
  time: string;
  weekday: number;
  day: number;
  cron: string;
  timezone: string;
}

export function emptyDraft(timezone: string): ScheduleDraft {
  return { repeat: "never", time: "09:00", weekday: 1, day: 1, cron: "0 9 * * *", timezone };
}

const NUMBER = "(\\d{1,2})";
const SHAPES: [Repeat, RegExp][] = [
  ["hour", new RegExp(`^${NUMBER} \\* \\* \\* \\*$`)],
  ["day", new RegExp(`^${NUMBER} ${NUMBER} \\* \\* \\*$`)],
  ["weekday", new RegExp(`^${NUMBER} ${NUMBER} \\* \\* (?:1-5|mon-fri)$`, "i")],
  ["week", new RegExp(`^${NUMBER} ${NUMBER} \\* \\* ([0-7])$`)],
  ["month", new RegExp(`^${NUMBER} ${NUMBER} ${NUMBER} \\* \\*$`)],
];

const two = (number: number) => String(number).padStart(2, "0");

/** A schedule as the form holds it; what the form cannot say stays an expression. */
export function readSchedule(schedule: Schedule | null, here: string): ScheduleDraft {
  const draft = emptyDraft(schedule?.timezone ?? here);
  if (!schedule) return draft;
  const { cron } = schedule;
  for (const [repeat, shape] of SHAPES) {
    const found = shape.exec(cron);
    if (!found) continue;
    const [minute = 0, hour = 9, third = 1] = found.slice(1).map(Number);
    const time = `${two(hour)}:${two(minute)}`;
    return { ...draft, cron, repeat, time, ...(repeat === "week" ? { weekday: third % 7 } : { day: third }) };
  }
  return { ...draft, cron, repeat: "cron" };
}

/** Null where the task runs by hand alone. */
export function toSchedule({ repeat, time, weekday, day, cron, timezone }: ScheduleDraft): Schedule | null {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const crons: Record<Exclude<Repeat, "never">, string> = {
    hour: `${minute} * * * *`,
    day: `${minute} ${hour} * * *`,
    weekday: `${minute} ${hour} * * 1-5`,
    week: `${minute} ${hour} * * ${weekday}`,
    month: `${minute} ${hour} ${day} * *`,
    cron: cron.trim().replace(/\s+/g, " "),
  };
  return repeat === "never" ? null : { cron: crons[repeat], timezone };
}

/** When it runs, in words; the time zone is named where it is not the reader's. */
export function scheduleText(schedule: Schedule | null, here: string): string {
  if (!schedule) return "By hand";
  const draft = readSchedule(schedule, here);
  const { repeat, time, weekday, day, cron } = draft;
  const words: Record<Exclude<Repeat, "never">, string> = {
    hour: `Every hour at :${time.slice(3)}`,
    day: `Every day at ${time}`,
    weekday: `Monday to Friday at ${time}`,
    week: `Every ${WEEKDAYS[weekday] ?? "week"} at ${time}`,
    month: `On day ${day} of every month at ${time}`,
    cron: `Cron ${cron}`,
  };
  const zone = schedule.timezone ?? "UTC";
  const text = repeat === "never" ? "By hand" : words[repeat];
  return zone === here ? text : `${text} (${zone})`;
}

/** The time zone of this browser. */
export function hereZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** All that the browser knows, with those that must be among them. */
export function zones(...known: string[]): string[] {
  return [...new Set([...known, "UTC", ...Intl.supportedValuesOf("timeZone")])];
}
