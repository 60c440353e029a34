import { Badge, Text } from "@mantine/core";
import { Modal } from "@/ui/Modal";
import type { Decisions } from "../hooks/useDecisions";
import classes from "./feedback.module.css";

/** What became of each of those that were decided last. */
export function HappenedDialog({ decisions: { happened, isShown, show, said } }: { decisions: Decisions }) {
  return (
    <Modal opened={isShown} onClose={() => show(false)} title="What happened">
      <Text size="sm" mb="sm">
        {said}
      </Text>
      <ul className={classes.happened} aria-label="Each of them">
        {happened.map(({ id, what, done, detail }) => (
          <li key={id}>
            <Badge component="span" size="sm" color={done ? "green" : "orange"} miw="max-content">
              {done ? "Done" : "Not done"}
            </Badge>
            <div>
              <Text size="sm" lineClamp={2} className={classes.words}>
                {what}
              </Text>
              {!done && (
                <Text size="xs" c="dimmed" className={classes.words}>
                  {detail}
                </Text>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
