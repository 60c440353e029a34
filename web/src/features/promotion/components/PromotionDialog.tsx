import type { PromotionPreview as Preview } from "@/api/types";
import { Modal } from "@/ui/Modal";
import type { Target } from "../hooks/usePromotion";
import { PromotionPreview } from "./PromotionPreview";

interface PromotionDialogProps {
  /** None: the dialog is closed. */
  target: Target | null;
  labels: ReadonlyMap<string, string>;
  onClose: () => void;
  onDone: (preview: Preview) => void;
}

export function PromotionDialog({ target, labels, onClose, onDone }: PromotionDialogProps) {
  return (
    <Modal opened={target !== null} onClose={onClose} title="Promote into the record">
      {target && <PromotionPreview target={target} labels={labels} onCancel={onClose} onDone={onDone} />}
    </Modal>
  );
}
