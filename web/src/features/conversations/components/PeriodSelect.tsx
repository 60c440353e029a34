import { Input, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { PERIODS, type Period, dayBefore, isChosen } from "../lib/period";

const CHOSEN = "chosen";
const SHOWN_FIRST = 30; // days, when somebody begins to choose

interface PeriodSelectProps {
  /** In sight, where it does not stand among others that explain it. */
  label?: string;
  period: Period;
  /** What is meant when the address says nothing: so many days, or all time. */
  fallback: number | null;
  onChange: (period: Period) => void;
}

/** The last so many days, or from a day to a day. */
export function PeriodSelect({ label, period, fallback, onChange }: PeriodSelectProps) {
  const chosen = isChosen(period);
  const choose = (value: string) => {
    const days = PERIODS.find((each) => String(each) === value);
    if (value === CHOSEN) onChange({ days: undefined, start: dayBefore(new Date(), SHOWN_FIRST), end: undefined });
    else onChange({ days: days === fallback ? undefined : days, start: undefined, end: undefined });
  };
  return (
    <>
      <NativeSelect
        {...(label ? { label } : { "aria-label": "Period" })}
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

interface DayRangeProps {
  label: string;
  start: string | undefined;
  end: string | undefined;
  onChange: (start: string | undefined, end: string | undefined) => void;
}

/** From a day to a day, either of which may be open. */
export function DayRange({ label, start, end, onChange }: DayRangeProps) {
  return (
    <Input.Wrapper label={label} labelElement="div" role="group" aria-label={label}>
      <Stack gap={6}>
        <Day label={`From (UTC): ${label}`} value={start} max={end} onChange={(day) => onChange(day, end)} />
        <Day label={`To (UTC): ${label}`} value={end} min={start} onChange={(day) => onChange(start, day)} />
      </Stack>
    </Input.Wrapper>
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
      leftSection={<Text size="sm">{label.startsWith("From") ? "from" : "to"}</Text>}
      leftSectionWidth={46}
      min={min}
      max={max}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}
