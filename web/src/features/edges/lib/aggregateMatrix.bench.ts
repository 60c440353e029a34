/** How long a switch of the strategy takes: 500 connections, 200 respondents, 10 dimensions. `npm run bench`. */
import { bench, describe } from "vitest";
import type { Dimension } from "@/api/types";
import { STRATEGIES } from "@/features/entities/lib/search";
import { aggregateCells, toMatrix } from "./aggregateMatrix";

const [CONNECTIONS, RESPONDENTS, DIMENSIONS] = [500, 200, 10];

const dimensions = Array.from(
  { length: DIMENSIONS },
  (_, n) => ({ key: `d${n}`, label: `D${n}`, type: "rating", scale: [1, 5], weight: 1, required: false }) as Dimension,
);
const responses = Array.from({ length: RESPONDENTS }, (_, r) => ({
  values: Object.fromEntries(
    Array.from({ length: CONNECTIONS }, (_, c) => [
      `connection-${c}`,
      Object.fromEntries(dimensions.map(({ key }, n) => [key, ((r * c + n) % 5) + 1])),
    ]),
  ),
}));
// As it comes from the server: parsed JSON.
const matrix = JSON.parse(JSON.stringify(toMatrix(responses, dimensions))) as ReturnType<typeof toMatrix>;

describe(`${CONNECTIONS} connections × ${RESPONDENTS} respondents × ${DIMENSIONS} dimensions`, () => {
  for (const strategy of STRATEGIES) {
    bench(strategy, () => void aggregateCells(matrix, strategy), { time: 1000, warmupTime: 200 });
  }
});
