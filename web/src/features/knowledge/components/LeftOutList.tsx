import { Text, Title } from "@mantine/core";
import { useId } from "react";
import type { LeftOut } from "@/api/types";
import { leftOutLines } from "../lib/diff";
import classes from "./knowledge.module.css";

/** What a prompt does not hold, and by which rule. */
export function LeftOutList({ leftOut }: { leftOut: LeftOut }) {
  const lines = leftOutLines(leftOut);
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={classes.part}>
      <Title order={3} id={heading}>
        What was left out
      </Title>
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed" mt={4}>
          Nothing: all that is active and holds here is in it.
        </Text>
      ) : (
        <ul className={classes.leftOut}>
          {lines.map(({ count, why }) => (
            <li key={why}>
              <Text size="sm">
                <b>{count.toLocaleString("en")}</b>: {why}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
