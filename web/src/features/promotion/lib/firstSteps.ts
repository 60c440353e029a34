/** From nothing to the first promoted value: which steps there are, and which are done. */
import type { FirstSteps } from "@/api/types";

export type StepKey = "type" | "record" | "response" | "promotion";

export interface Step {
  key: StepKey;
  title: string;
  text: string;
  isDone: boolean;
}

export function listSteps({ has_type, has_record, has_response, has_promotion }: FirstSteps): Step[] {
  return [
    {
      key: "type",
      title: "Define a type",
      text: "It says what a record consists of. Its form and its criteria set follow from it.",
      isDone: has_type,
    },
    {
      key: "record",
      title: "Enter a record",
      text: "A title is enough: its values may be proposed.",
      isDone: has_record,
    },
    {
      key: "response",
      title: "Have a value proposed",
      text: "By yourself, by a colleague, or by an agent with a key of its own.",
      isDone: has_response,
    },
    {
      key: "promotion",
      title: "Review it and promote a value",
      text: "The record then says who proposed it and who accepted it.",
      isDone: has_promotion,
    },
  ];
}

/** The first that is still to do. */
export function nextStep(steps: readonly Step[]): StepKey | undefined {
  return steps.find(({ isDone }) => !isDone)?.key;
}
