import type { UseFormReturnType } from "@mantine/form";
import { useState } from "react";
import { placeErrors, toProblem } from "@/api/problem";

/** Puts a failed submit's errors at the form's own fields and keeps the rest for its head. */
export function useProblemForm<Values extends Record<string, unknown>>(form: UseFormReturnType<Values>) {
  const [head, setHead] = useState<string | null>(null);
  return {
    head,
    clear: () => setHead(null),
    place: (error: unknown) => {
      const placed = placeErrors(toProblem(error), Object.keys(form.getValues()));
      setHead(placed.head);
      form.setErrors(placed.fields);
    },
  };
}
