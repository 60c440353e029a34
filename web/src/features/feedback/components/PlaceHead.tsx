import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./feedback.module.css";

/** What a place is called, and the way there. */
export function PlaceHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classes.placeHead}>
      <Title order={4} size="h3">
        {title}
      </Title>
      {children}
    </div>
  );
}
