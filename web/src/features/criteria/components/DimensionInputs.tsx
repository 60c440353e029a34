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
import { columnsOf } from "../lib/columns";
import { isEmpty } from "../lib/values";
import { DimensionInputScale } from "./DimensionInputScale";

const SHORT_LIST = 20; // options that can be overlooked without searching

export interface DimensionInputProps {
  dimension: Dimension;
  value: unknown;
  error?: string | undefined;
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

export function NumberDimensionInput(props: DimensionInputProps) {
  const { dimension, value, onChange } = props;
  return (
    <NumberInput
      {...sharedProps(props)}
      description={describeNumber(dimension)}
      maw={280}
      value={typeof value === "number" || typeof value === "string" ? value : ""}
      onChange={onChange}
      {...numberLimits(dimension)}
    />
  );
}

export function LineInput(props: DimensionInputProps) {
  const { dimension, value, onChange } = props;
  return (
    <TextInput
      {...sharedProps(props)}
      description={dimension.description || undefined}
      value={typeof value === "string" ? value : ""}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function LongTextInput(props: DimensionInputProps) {
  const { dimension, value, onChange } = props;
  return (
    <Textarea
      {...sharedProps(props)}
      description={[dimension.description, "Markdown can be used"].filter(Boolean).join(" · ")}
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
  return columnsOf(props.dimension).length > 0 ? <ButtonsInput {...props} /> : <SliderInput {...props} />;
}

/** Out of range is said, not silently corrected. */
function numberLimits({ scale, step }: Dimension) {
  return {
    clampBehavior: "none" as const,
    step: step || 1,
    ...(scale ? { min: scale[0], max: scale[1], startValue: scale[0] } : {}),
  };
}

function describeNumber({ scale, step, description }: Dimension): string | undefined {
  const range = scale ? `${scale[0]} to ${scale[1]}` : "";
  const steps = step ? `in steps of ${step}` : "";
  return [description, [range, steps].filter(Boolean).join(", ")].filter(Boolean).join(" · ") || undefined;
}

function ButtonsInput(props: DimensionInputProps) {
  const { dimension, value, error, onChange } = props;
  const id = useId();
  const described = [dimension.description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <Input.Wrapper
      label={dimension.label}
      labelElement="div"
      labelProps={{ id: `${id}-label` }}
      withAsterisk={dimension.required}
      description={dimension.description || undefined}
      descriptionProps={{ id: `${id}-description` }}
      error={error}
      errorProps={{ role: "alert", id: `${id}-error` }}
    >
      <Group gap="xs" mt={6} align="center">
        <DimensionInputScale
          columns={columnsOf(dimension)}
          value={value}
          onChange={onChange}
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
function SliderInput({ dimension, value, error, onChange }: DimensionInputProps) {
  const [low, high] = dimension.scale ?? [0, 1];
  const step = dimension.step || 1;
  return (
    <Stack gap="sm" maw={380}>
      <NumberInput
        label={dimension.label}
        required={dimension.required}
        description={describeNumber(dimension)}
        error={error}
        {...alertProps}
        w={200}
        value={typeof value === "number" || typeof value === "string" ? value : ""}
        onChange={onChange}
        {...numberLimits(dimension)}
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
  const shared = { ...sharedProps(props), description: dimension.description || undefined, maw: 380 };
  const chosen = typeof value === "string" ? value : "";
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
