import { Group, NativeSelect, NumberInput, Select, Stack, Text, TextInput } from "@mantine/core";
import { REPEATS, type Repeat, type ScheduleDraft, WEEKDAYS, zones } from "../lib/schedule";

interface ScheduleInputProps {
  value: ScheduleDraft;
  onChange: (schedule: ScheduleDraft) => void;
  errors: { cron?: string | undefined; timezone?: string | undefined; time?: string | undefined };
}

/** When a task runs by itself. */
export function ScheduleInput({ value, onChange, errors }: ScheduleInputProps) {
  const { repeat, time, weekday, day, cron, timezone } = value;
  const change = (part: Partial<ScheduleDraft>) => onChange({ ...value, ...part });
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
        <NativeSelect
          label="Runs"
          data={REPEATS.map(({ value: key, label }) => ({ value: key, label }))}
          value={repeat}
          onChange={(event) => change({ repeat: event.currentTarget.value as Repeat })}
        />
        {repeat === "week" && (
          <NativeSelect
            label="On"
            data={WEEKDAYS.map((label, place) => ({ value: String(place), label }))}
            value={String(weekday)}
            onChange={(event) => change({ weekday: Number(event.currentTarget.value) })}
          />
        )}
        {repeat === "month" && (
          <NumberInput
            label="On day"
            min={1}
            max={31}
            allowDecimal={false}
            value={day}
            onChange={(next) => typeof next === "number" && change({ day: next })}
          />
        )}
        {repeat !== "never" && repeat !== "cron" && (
          <TextInput
            type="time"
            label={repeat === "hour" ? "At minute of" : "At"}
            value={time}
            error={errors.time}
            onChange={(event) => change({ time: event.currentTarget.value })}
          />
        )}
        {repeat === "cron" && (
          <TextInput
            label="Cron expression"
            description="Minute, hour, day, month, day of the week"
            value={cron}
            error={errors.cron}
            onChange={(event) => change({ cron: event.currentTarget.value })}
          />
        )}
      </Group>
      {repeat !== "never" && (
        <Select
          label="Time zone"
          searchable
          withScrollArea={false}
          styles={{ options: { maxHeight: 260, overflowY: "auto" } }}
          data={zones(timezone)}
          value={timezone}
          error={errors.timezone ?? (repeat === "cron" ? undefined : errors.cron)}
          onChange={(next) => next && change({ timezone: next })}
        />
      )}
      {repeat === "month" && day > 28 && (
        <Text size="xs" c="dimmed">
          {`Months without a day ${day} are left out.`}
        </Text>
      )}
    </Stack>
  );
}
