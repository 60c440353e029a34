import { Button, type ButtonProps } from "@mantine/core";
import type { FieldChange } from "@/api/types";
import type { Field } from "@/features/entity_types/lib/fields";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useUndoPromoted } from "../hooks/usePromotion";

interface UndoButtonProps extends Pick<ButtonProps, "className" | "variant" | "size" | "color" | "leftSection"> {
  entityId: string;
  field: Field;
  /** The promotion that the field's value comes from. */
  promotion: FieldChange;
  "aria-label"?: string;
}

/** Takes back the promotion that a field's value comes from; if that has changed meanwhile, the value stays. */
export function UndoButton({ entityId, field, promotion, ...look }: UndoButtonProps) {
  const undo = useUndoPromoted();
  const { response_id, dimension_key } = promotion;
  if (!response_id || !dimension_key) return null;
  return (
    <Button
      {...look}
      loading={undo.isPending}
      // A promise, because the button goes with what it took back.
      onClick={() =>
        void undo.mutateAsync({ entityId, responseId: response_id, fields: [dimension_key] }).then(
          () => notifyDone(`The promotion of ${field.label} was undone.`),
          (error: unknown) => notifyProblem("The promotion was not undone", error),
        )
      }
    >
      Undo
    </Button>
  );
}
