import { VisuallyHidden } from "@mantine/core";
import type { FeedbackRating, Reaction } from "@/api/types";
import { ReactionIcon } from "@/features/conversations/components/ReactionIcon";
import { RATING_LOOK } from "../lib/words";
import classes from "./feedback.module.css";

const AS_REACTION: Record<FeedbackRating, Reaction> = { positive: "ok", neutral: "neutral", negative: "not_ok" };

export function RatingIcon({ rating }: { rating: FeedbackRating }) {
  const { label, color } = RATING_LOOK[rating];
  return (
    <span className={classes.rating} style={{ color: `var(--mantine-color-${color}-text)` }} title={label}>
      <ReactionIcon reaction={AS_REACTION[rating]} filled />
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
