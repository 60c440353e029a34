import { Anchor, Code, Collapse, Loader, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useId } from "react";
import { toProblem } from "@/api/problem";
import { useTurnLog } from "../hooks/useConversations";
import classes from "./conversations.module.css";

interface TurnLogProps {
  project: string;
  conversation: string;
  turnId: string;
}

/** What the agent did in a turn, as its server told it. */
export function TurnLog({ project, conversation, turnId }: TurnLogProps) {
  const [opened, { toggle }] = useDisclosure(false);
  const id = useId();
  const { data, error, isFetching, refetch } = useTurnLog({ project, conversation }, turnId, opened);
  return (
    <div className={classes.log}>
      <Anchor
        component="button"
        type="button"
        size="xs"
        c="dimmed"
        aria-expanded={opened}
        aria-controls={id}
        onClick={toggle}
      >
        {opened ? "Hide log" : "Show log"}
      </Anchor>
      <Collapse expanded={opened} id={id}>
        {opened && isFetching && !data && <Loader size="xs" mt={6} aria-label="Loading the log" />}
        {opened && data && (
          <Code
            block
            mt={6}
            mah={360}
            tabIndex={0}
            role="region"
            aria-label={`Log of ${turnId}`}
            style={{ overflow: "auto", whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
          >
            {JSON.stringify(data.turn_log, null, 2)}
          </Code>
        )}
        {opened && error && !data && (
          <Text size="sm" mt={6} role="alert">
            {toProblem(error).message}{" "}
            <Anchor component="button" type="button" size="sm" underline="always" onClick={() => void refetch()}>
              Try again
            </Anchor>
          </Text>
        )}
      </Collapse>
    </div>
  );
}
