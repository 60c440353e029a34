import { Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import type { ReactNode } from "react";

interface Confirmation {
  title: string;
  children: ReactNode;
  action: string;
  onConfirm: () => void;
}

/** Asks before something that cannot be taken back. Unlike elsewhere, the focus is on Cancel: whoever presses Enter once
 * too often has lost nothing. */
export function confirmDanger({ title, children, action, onConfirm }: Confirmation): void {
  modals.openConfirmModal({
    title,
    children: (
      <Text size="sm" component="div">
        {children}
      </Text>
    ),
    labels: { confirm: action, cancel: "Cancel" },
    cancelProps: { "data-autofocus": true },
    confirmProps: { color: "red" },
    closeButtonProps: { "aria-label": "Close" },
    onConfirm,
  });
}
