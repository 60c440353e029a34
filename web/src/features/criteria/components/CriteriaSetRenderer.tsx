import { Alert, Stack } from "@mantine/core";
import { ExclamationTriangleIcon } from "@radix-ui/react-icons";
import { useEffect } from "react";
import type { Dimension } from "@/api/types";
import type { Asked } from "../lib/asked";
import { type Displayed, chooseDisplay } from "../lib/display";
import type { Values } from "../lib/values";
import { DimensionInput } from "./DimensionInput";
import { LikertMatrix } from "./LikertMatrix";

interface CriteriaSetRendererProps {
  criteriaSet: Displayed;
  values: Values;
  /** By the key of the dimension. */
  errors: Readonly<Record<string, string>>;
  /** What dimensions lead to, by their key; where no record is asked about, nothing. */
  fields?: ReadonlyMap<string, Asked> | undefined;
  onChange: (key: string, value: unknown) => void;
}

/** The inputs of a criteria set, drawn in the way the set asks for. */
export function CriteriaSetRenderer({ criteriaSet, ...inputs }: CriteriaSetRendererProps) {
  const display = chooseDisplay(criteriaSet);
  const warning = display.as === "list" ? display.warning : null;
  useEffect(() => {
    if (warning) console.warn(`Shown as a list: ${warning}`);
  }, [warning]);
  if (display.as === "matrix") {
    return (
      <Stack gap="md">
        <LikertMatrix rows={display.rows} config={display.config} {...inputs} />
        <DimensionList dimensions={display.rest} {...inputs} />
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      {warning && (
        <Alert color="orange" py={6} icon={<ExclamationTriangleIcon />}>
          {`Shown as a list. ${warning}`}
        </Alert>
      )}
      <DimensionList dimensions={display.dimensions} {...inputs} />
    </Stack>
  );
}

type DimensionListProps = Omit<CriteriaSetRendererProps, "criteriaSet"> & { dimensions: readonly Dimension[] };

function DimensionList({ dimensions, values, errors, fields, onChange }: DimensionListProps) {
  return dimensions.map((dimension) => (
    <DimensionInput
      key={dimension.key}
      dimension={dimension}
      value={values[dimension.key]}
      error={errors[dimension.key]}
      field={fields?.get(dimension.key)}
      onChange={(value) => onChange(dimension.key, value)}
    />
  ));
}
