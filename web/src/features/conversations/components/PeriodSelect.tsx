import { NativeSelect, TextInput } from "@mantine/core";
import { PERIODS, type Period, dayBefore, isChosen } from "../lib/period";

const CHOSEN = "chosen";
const SHOWN_FIRST = 30; // days, when somebody begins to choose

interface PeriodSelectProps {
  period: Period;
  /** What is meant when the address says nothing: so many days, or all time. */
  fallback: number | null;
  onChange: (period: Period) => void;
}

/** The last so many days, or from a day to a day. */
export function PeriodSelect({ period, fallback, onChange }: PeriodSelectProps) {
  const chosen = isChosen(period);
  const choose = (value: string) => {
    const days = PERIODS.find((each) => String(each) === value);
    if (value === CHOSEN) onChange({ days: undefined, start: dayBefore(new Date(), SHOWN_FIRST), end: undefined });
    else onChange({ days: days === fallback ? undefined : days, start: undefined, end: undefined });
  };
  return (
    <>
      <NativeSelect
        aria-label="Period"
        value={chosen ? CHOSEN : String(period.days ?? fallback ?? "")}
        data={[
          ...(fallback === null ? [{ value: "", label: "Any time" }] : []),
          ...PERIODS.map((days) => ({ value: String(days), label: days === 365 ? "Last year" : `Last ${days} days` })),
          { value: CHOSEN, label: "From a day to a day" },
        ]}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {chosen && (
        <>
          <Day label="From (UTC)" value={period.start} max={period.end} onChange={(start) => onChange({ ...period, start })} />
          <Day label="To (UTC)" value={period.end} min={period.start} onChange={(end) => onChange({ ...period, end })} />
        </>
      )}
    </>
  );
}

interface DayProps {
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Day({ label, value = "", min, max, onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      leftSection={label.startsWith("From") ? "from" : "to"}
      leftSectionWidth={46}
      min={min}
      max={max}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}
