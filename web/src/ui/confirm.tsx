import { Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import type { ReactNode } from "react";

interface Confirmation {
  title: string;
  children: ReactNode;
  action: string;
  onConfirm: () => void;
}

/** Asks before something that cannot be taken back. */
export function confirmDanger({ title, children, action, onConfirm }: Confirmation): void {
  modals.openConfirmModal({
    title,
    children: (
      <Text size="sm" component="div">
        {children}
      </Text>
    ),
    labels: { confirm: action, cancel: "Cancel" },
    confirmProps: { color: "red" },
    closeButtonProps: { "aria-label": "Close" },
    onConfirm,
  });
}
