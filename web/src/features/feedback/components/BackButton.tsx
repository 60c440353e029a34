import { Button } from "@mantine/core";
import { ArrowLeftIcon } from "@radix-ui/react-icons";
import type { ReactNode } from "react";
import classes from "./feedback.module.css";

/** The way back where panes are shown one after the other. */
export function BackButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button className={classes.back} size="compact-sm" variant="subtle" color="gray" leftSection={<ArrowLeftIcon />} onClick={onClick}>
      {children}
    </Button>
  );
}
