/** The dialogs and drawers of the app. They differ from those of the library in where the focus is when they open. */
import {
  Drawer as BareDrawer,
  Modal as BareModal,
  type DrawerProps,
  type ModalProps,
} from "@mantine/core";
import { InitialFocus } from "./InitialFocus";

export function Modal({ children, ...frame }: ModalProps) {
  return (
    <BareModal {...frame}>
      <InitialFocus>{children}</InitialFocus>
    </BareModal>
  );
}

export function Drawer({ children, ...frame }: DrawerProps) {
  return (
    <BareDrawer {...frame}>
      <InitialFocus>{children}</InitialFocus>
    </BareDrawer>
  );
}
