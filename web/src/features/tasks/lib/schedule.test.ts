import { expect, test } from "vitest";
import { emptyDraft, readSchedule, scheduleText, toSchedule } from "./schedule";

const HERE = "Europe/Berlin";
const at = (cron: string, timezone = HERE) => ({ cron, timezone });

test.each([
  ["30 * * * *", "hour", "Every hour at :30"],
  ["0 9 * * *", "day", "Every day at 09:00"],
  ["5 22 * * 1-5", "weekday", "Monday to Friday at 22:05"],
  ["0 7 * * 0", "week", "Every Sunday at 07:00"],
  ["0 7 * * 6", "week", "Every Saturday at 07:00"],
  ["15 6 1 * *", "month", "On day 1 of every month at 06:15"],
  ["*/15 8-18 * * *", "cron", "Cron */15 8-18 * * *"],
  ["0 9 1 1 *", "cron", "Cron 0 9 1 1 *"],
])("%s is of the shape %s and reads %s", (cron, repeat, text) => {
  const draft = readSchedule(at(cron), HERE);
  expect(draft.repeat).toBe(repeat);
  expect(toSchedule(draft)).toEqual(at(cron));
  expect(scheduleText(at(cron), HERE)).toBe(text);
});

test("Sunday may be called 7", () => {
  expect(scheduleText(at("0 7 * * 7"), HERE)).toBe("Every Sunday at 07:00");
});

test("no schedule is by hand, and stays none", () => {
  expect(scheduleText(null, HERE)).toBe("By hand");
  expect(toSchedule(readSchedule(null, HERE))).toBeNull();
  expect(emptyDraft(HERE).timezone).toBe(HERE);
});

test("a time zone is named where it is not the reader's", () => {
  expect(scheduleText(at("0 9 * * *", "UTC"), HERE)).toBe("Every day at 09:00 (UTC)");
});

test("spaces of an expression are one", () => {
  expect(toSchedule({ ...emptyDraft("UTC"), repeat: "cron", cron: " 0  9 * * 1 " })).toEqual(at("0 9 * * 1", "UTC"));
});
