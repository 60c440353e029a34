import { Button } from "@mantine/core";
import { TrashIcon } from "@radix-ui/react-icons";
import { useState } from "react";
import type { ErasureSubject } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { EraseDialog } from "./EraseDialog";

interface EraseButtonProps {
  /** As in "Delete this conversation for good?" */
  what: string;
  erasure: ErasureSubject;
  label?: string;
  /** What has to be typed first. */
  confirm?: string;
}

/** Deletes something for good, after a look at what goes with it. Only for who may. */
export function EraseButton({ what, erasure, label = "Delete", confirm }: EraseButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useCan()("erasures.team.manage")) return null;
  return (
    <>
      <Button variant="default" c="var(--mantine-color-error)" leftSection={<TrashIcon />} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <EraseDialog opened={isOpen} onClose={() => setIsOpen(false)} what={what} erasure={erasure} confirm={confirm} />
    </>
  );
}
