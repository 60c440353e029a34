import { Button, Text, Title } from "@mantine/core";
import { useId } from "react";
import type { FeedbackGroup } from "@/api/types";
import { RelativeTime } from "@/ui/RelativeTime";
import type { Decisions } from "../hooks/useDecisions";
import { useMembers } from "../hooks/useGroups";
import { wordsOf } from "../lib/context";
import { authorOf } from "../lib/words";
import classes from "./feedback.module.css";

/** What is in no group and may belong to this one: a person says so. Nothing where there is none. */
export function NearOnes({ group, decisions }: { group: FeedbackGroup; decisions: Decisions }) {
  const { rows = [] } = useMembers(group.id, true);
  const heading = useId();
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby={heading} className={classes.near}>
      <Title order={4} size="h3" id={heading}>
        May belong here as well
      </Title>
      <ul className={classes.nearRows}>
        {rows.map((row) => (
          <li key={row.id}>
            <div>
              <Text size="sm" lineClamp={2} className={classes.words} dir="auto">
                {wordsOf(row)}
              </Text>
              <Text size="xs" c="dimmed">
                <bdi>{authorOf(row)}</bdi>, <RelativeTime value={row.created_at} />
              </Text>
            </div>
            <Button size="compact-xs" variant="default" loading={decisions.isBusy} onClick={() => void decisions.move([row], group)}>
              Put in
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
