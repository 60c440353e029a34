import { Anchor, Button, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { Feedback } from "@/api/types";
import { useCan, useTenant } from "@/features/tenants/hooks/useWorkspace";
import { RelativeTime } from "@/ui/RelativeTime";
import { type About, useFeedbackAbout } from "../hooks/useFeedback";
import { aspectOf, wordsOf } from "../lib/context";
import { SOURCE_LABEL, authorOf } from "../lib/words";
import { RatingIcon } from "./RatingIcon";
import { StatusBadge } from "./StatusBadge";
import { TakeBackButton } from "./TakeBackButton";
import classes from "./feedback.module.css";

const FEW = 3; // until somebody wants to see all

/** What was said about the record, session or conversation that a page shows; nothing where nothing was. */
export function FeedbackAbout({ about }: { about: About }) {
  const { query, rows = [] } = useFeedbackAbout(about);
  const [isWhole, setWhole] = useState(false);
  const heading = useId();
  if (rows.length === 0) return null;
  const known = `${rows.length}${query.hasNextPage ? "+" : ""}`;
  return (
    <section className={classes.about} aria-labelledby={heading}>
      <Title order={2} size="h3" mb={8} id={heading}>
        Feedback
        <Text span size="sm" c="dimmed" ml={8} fw={400}>
          {known}
        </Text>
      </Title>
      <FeedbackLines rows={isWhole ? rows : rows.slice(0, FEW)} />
      {rows.length > FEW && (
        <Button mt={6} size="compact-sm" variant="subtle" color="gray" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : query.hasNextPage ? `Show the newest ${rows.length}` : `Show all ${rows.length}`}
        </Button>
      )}
      {isWhole && query.hasNextPage && (
        <Button mt={6} size="compact-sm" variant="subtle" color="gray" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Load more
        </Button>
      )}
    </section>
  );
}

/** One line for each, with the way to where it is reviewed, and back for whoever gave it. */
export function FeedbackLines({ rows }: { rows: readonly Feedback[] }) {
  const mayReview = useCan()("feedback.team.review");
  const { userId } = useTenant();
  return (
    <ul className={classes.aboutRows}>
      {rows.map((row) => (
        <li key={row.id} className={classes.aboutRow}>
          <RatingIcon rating={row.rating} />
          <Text size="sm" className={classes.aboutWords} lineClamp={2} dir="auto">
            {wordsOf(row)}
          </Text>
          <Text size="xs" c="dimmed">
            {[SOURCE_LABEL[row.source_type], aspectOf(row)].filter(Boolean).join(" · ")} by <bdi>{authorOf(row)}</bdi>, <RelativeTime value={row.created_at} />
          </Text>
          <StatusBadge status={row.status} />
          {mayReview && (
            <Anchor size="xs" underline="always" renderRoot={(props) => <ReviewLink row={row} {...props} />}>
              Open
            </Anchor>
          )}
          {row.created_by === userId && row.status === "pending" && <TakeBackButton id={row.id} />}
        </li>
      ))}
    </ul>
  );
}

/** In its group where it is in one. */
function ReviewLink({ row, ...props }: { row: Feedback } & Record<string, unknown>) {
  if (row.group_id) {
    return <Link to="/admin/agent-review/feedback" search={{ group: row.group_id, feedback: row.id }} {...props} />;
  }
  return <Link to="/admin/agent-review/feedback/all" search={{ feedback: row.id }} {...props} />;
}
