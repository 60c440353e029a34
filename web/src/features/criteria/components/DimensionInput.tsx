import type { DimensionInputProps } from "./DimensionInputs";
import { ASKED } from "./dimensionTypes";

/** The input that fits a dimension. */
export function DimensionInput(props: DimensionInputProps) {
  const { Input } = ASKED[props.dimension.type];
  return <Input {...props} />;
}
