/** How a criteria set is drawn: as a list, or as a matrix where its display config can be used. */
import * as v from "valibot";
import type { CriteriaSet, Dimension } from "@/api/types";
import { type DisplayConfig, LIKERT_MATRIX } from "./columns";
import { configFaults, rowFaults } from "./definition";
import { isNumeric } from "./dimensionTypes";

export type Displayed = Pick<CriteriaSet, "dimensions" | "display_type" | "display_config">;

export type Display =
  | { as: "list"; dimensions: readonly Dimension[]; warning: string | null }
  | { as: "matrix"; rows: readonly Dimension[]; rest: readonly Dimension[]; config: DisplayConfig };

const Config = v.strictObject({
  scale: v.optional(v.nullable(v.tuple([v.number(), v.number()]))),
  step: v.optional(v.nullable(v.number())),
  anchorLabels: v.optional(
    v.nullable(v.strictObject({ min: v.string(), mid: v.optional(v.nullable(v.string())), max: v.string() })),
  ),
});

/** A config that cannot be used must not keep anyone from answering: the list always can. */
export function chooseDisplay({ dimensions, display_type: type, display_config: given }: Displayed): Display {
  const list = (warning: string | null): Display => ({ as: "list", dimensions, warning });
  if (!type) return list(null);
  if (type !== LIKERT_MATRIX) return list(`There is no display type “${type}”.`);
  const parsed = v.safeParse(Config, given ?? {});
  if (!parsed.success) return list("The config of the matrix cannot be read.");
  const config = parsed.output;
  const rows = dimensions.filter((dimension) => isNumeric(dimension.type));
  const rest = dimensions.filter((dimension) => !isNumeric(dimension.type));
  const inRows = rows.flatMap((row) => rowFaults(row, config, dimensions.indexOf(row)));
  const [problem] = [...configFaults(config), ...inRows];
  if (problem) return list(`${problem.message}.`);
  if (rows.length === 0) return list("A matrix needs numbers or ratings as its rows.");
  return { as: "matrix", rows, rest, config };
}
