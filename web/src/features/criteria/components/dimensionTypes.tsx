/** How a dimension of each type is asked: in a form, and in a cell of a table of many. */
import type { ComponentType } from "react";
import type { DimensionType } from "../lib/dimensionTypes";
import { ChoiceCell, type DimensionCellProps, LineCell, LongTextCell, NumberCell, RatingCell } from "./DimensionCells";
import {
  ChoiceInput,
  type DimensionInputProps,
  LineInput,
  LongTextInput,
  NumberDimensionInput,
  RatingInput,
} from "./DimensionInputs";

interface Asked {
  Input: ComponentType<DimensionInputProps>;
  Cell: ComponentType<DimensionCellProps>;
}

export const ASKED: Record<DimensionType, Asked> = {
  rating: { Input: RatingInput, Cell: RatingCell },
  number: { Input: NumberDimensionInput, Cell: NumberCell },
  select: { Input: ChoiceInput, Cell: ChoiceCell },
  text: { Input: LineInput, Cell: LineCell },
  richtext: { Input: LongTextInput, Cell: LongTextCell },
};
