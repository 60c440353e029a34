import { Button, type ButtonProps } from "@mantine/core";
import type { Entity } from "@/api/types";
import { useUndoPromotion } from "@/features/entities/hooks/useProvenance";
import type { Field } from "@/features/entity_types/lib/fields";
import { notifyDone, notifyProblem } from "@/ui/notify";

interface UndoButtonProps extends Pick<ButtonProps, "className" | "variant" | "size" | "color" | "leftSection"> {
  entity: Entity;
  field: Field;
  "aria-label"?: string;
}

/** Takes back the promotion that a field's value comes from. */
export function UndoButton({ entity, field, ...look }: UndoButtonProps) {
  const undo = useUndoPromotion(entity.id);
  return (
    <Button
      {...look}
      loading={undo.isPending}
      // A promise, because the button goes with what it took back.
      onClick={() =>
        void undo.mutateAsync({ field: field.key, version: entity.version }).then(
          () => notifyDone(`The promotion of ${field.label} was undone.`),
          (error: unknown) => notifyProblem("The promotion was not undone", error),
        )
      }
    >
      Undo
    </Button>
  );
}
