import {
  Group,
  Input,
  NativeSelect,
  NumberInput,
  Select,
  Slider,
  Stack,
  TextInput,
  Textarea,
  UnstyledButton,
} from "@mantine/core";
import { useId } from "react";
import type { Dimension } from "@/api/types";
import { type Asked, fromLocalTime, limitsOf, lineType, presentText, rangeText, toLocalTime } from "../lib/asked";
import { columnsOf } from "../lib/columns";
import { isYesOrNo, optionLabel } from "../lib/dimensionTypes";
import { isEmpty } from "../lib/values";
import { DimensionInputScale } from "./DimensionInputScale";

const SHORT_LIST = 20; // options that can be overlooked without searching

export interface DimensionInputProps {
  dimension: Dimension;
  value: unknown;
  error?: string | undefined;
  /** The field that the value leads to, if any. */
  field?: Asked | undefined;
  /** Whether a choice can be taken back; what is required can not, unless told so. */
  clearable?: boolean;
  onChange: (value: unknown) => void;
}

function isClearable({ dimension, clearable }: DimensionInputProps): boolean {
  return clearable ?? !dimension.required;
}

const alertProps = { errorProps: { role: "alert" } };

function sharedProps({ dimension, error }: DimensionInputProps) {
  return { label: dimension.label, required: dimension.required, error, ...alertProps };
}

/** What stands under the label: the help text, what may be said, and what the record says now. */
function descriptionOf({ dimension, field }: DimensionInputProps, ...more: string[]): string | undefined {
  return [dimension.description, ...more, presentText(field)].filter(Boolean).join(" · ") || undefined;
}

export function NumberDimensionInput(props: DimensionInputProps) {
  const { dimension, field, value, onChange } = props;
  return (
    <NumberInput
      {...sharedProps(props)}
      description={descriptionOf(props, rangeText(dimension, field))}
      maw={280}
      value={typeof value === "number" || typeof value === "string" ? value : ""}
      onChange={onChange}
      {...(field?.unit ? { suffix: ` ${field.unit}` } : {})}
      {...numberLimits(props)}
    />
  );
}

export function LineInput(props: DimensionInputProps) {
  const { field, value, onChange } = props;
  const type = lineType(field?.rules);
  const isMoment = type === "datetime-local";
  const text = typeof value === "string" ? value : "";
  return (
    <TextInput
      {...sharedProps(props)}
      description={descriptionOf(props)}
      type={type}
      {...(type === "date" || isMoment ? { maw: 280 } : {})}
      value={isMoment ? toLocalTime(text) : text}
      onChange={({ currentTarget: { value: typed } }) => onChange(isMoment ? fromLocalTime(typed) : typed)}
    />
  );
}

export function LongTextInput(props: DimensionInputProps) {
  const { value, onChange } = props;
  return (
    <Textarea
      {...sharedProps(props)}
      description={descriptionOf(props, "Markdown can be used")}
      autosize
      minRows={4}
      maxRows={16}
      value={typeof value === "string" ? value : ""}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Buttons where the scale has few values, otherwise a number with a slider. */
export function RatingInput(props: DimensionInputProps) {
  const columns = columnsOf(props.dimension);
  return columns.length > 0 ? <ButtonsInput {...props} columns={columns} /> : <SliderInput {...props} />;
}

/** Out of range is said, not silently corrected. */
function numberLimits({ dimension, field }: DimensionInputProps) {
  const limits = limitsOf(dimension, field?.rules);
  return {
    clampBehavior: "none" as const,
    step: dimension.step || 1,
    ...limits,
    ...(limits.min !== undefined ? { startValue: limits.min } : {}),
  };
}

interface ButtonsInputProps<Value extends number | string> extends DimensionInputProps {
  columns: readonly Value[];
  wording?: (value: Value) => string;
}

function ButtonsInput<Value extends number | string>(props: ButtonsInputProps<Value>) {
  const { dimension, value, error, onChange, columns, wording } = props;
  const id = useId();
  const description = descriptionOf(props);
  const described = [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <Input.Wrapper
      label={dimension.label}
      labelElement="div"
      labelProps={{ id: `${id}-label` }}
      withAsterisk={dimension.required}
      description={description}
      descriptionProps={{ id: `${id}-description` }}
      error={error}
      errorProps={{ role: "alert", id: `${id}-error` }}
    >
      <Group gap="xs" mt={6} align="center">
        <DimensionInputScale
          columns={columns}
          value={value}
          onChange={onChange}
          wording={wording}
          labelledBy={`${id}-label`}
          describedBy={described || undefined}
          required={dimension.required}
          invalid={Boolean(error)}
        />
        {isClearable(props) && !isEmpty(value) && (
          <ClearButton label={dimension.label} onClick={() => onChange(null)} />
        )}
      </Group>
    </Input.Wrapper>
  );
}

/** A rating too fine for buttons. The number is the answer; the slider only follows it. */
function SliderInput(props: DimensionInputProps) {
  const { dimension, field, value, error, onChange } = props;
  const [low, high] = dimension.scale ?? [0, 1];
  const step = dimension.step || 1;
  return (
    <Stack gap="sm" maw={380}>
      <NumberInput
        label={dimension.label}
        required={dimension.required}
        description={descriptionOf(props, rangeText(dimension, field))}
        error={error}
        {...alertProps}
        w={200}
        value={typeof value === "number" || typeof value === "string" ? value : ""}
        onChange={onChange}
        {...numberLimits(props)}
      />
      <Slider
        mb={4}
        color="gold"
        min={low}
        max={high}
        step={step}
        label={null}
        thumbLabel={`${dimension.label}, by slider`}
        value={typeof value === "number" ? Math.min(high, Math.max(low, value)) : low}
        onChange={onChange}
      />
    </Stack>
  );
}

export function ChoiceInput(props: DimensionInputProps) {
  const { dimension, value, onChange } = props;
  const options = dimension.options ?? [];
  const shared = { ...sharedProps(props), description: descriptionOf(props), maw: 380 };
  const chosen = typeof value === "string" ? value : "";
  if (isYesOrNo(dimension)) {
    return <ButtonsInput {...props} columns={["true", "false"]} wording={(option) => optionLabel(option, dimension)} />;
  }
  if (options.length <= SHORT_LIST) {
    return (
      <NativeSelect
        {...shared}
        data={[{ value: "", label: isClearable(props) ? "No answer" : "Choose…" }, ...new Set(options)]}
        value={chosen}
        onChange={(event) => onChange(event.currentTarget.value || null)}
      />
    );
  }
  return (
    <Select
      {...shared}
      data={[...new Set(options)]}
      placeholder="Choose…"
      searchable
      clearable={isClearable(props)}
      clearButtonProps={{ "aria-label": `Clear ${dimension.label}` }}
      value={chosen || null}
      onChange={onChange}
    />
  );
}

export function ClearButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <UnstyledButton
      fz="xs"
      c="dimmed"
      td="underline"
      aria-label={`Clear ${label}`}
      style={{ borderRadius: 4 }}
      onClick={onClick}
    >
      Clear
    </UnstyledButton>
  );
}
