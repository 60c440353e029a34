/** What can be flagged, as the server wants to be told of it. Pure. */
import type { FeedbackRating, NewFeedback } from "@/api/types";

export type Flagged =
  | { what: "session"; session_id: string }
  | { what: "record"; entity_id: string }
  | { what: "response"; entity_id: string; response_id: string }
  | { what: "turn"; project: string; conversation_id: string; turn_id: string };

export function flagOf(flagged: Flagged, rating: FeedbackRating, comment: string): NewFeedback {
  const said = { source_type: "observation" as const, rating, comment };
  switch (flagged.what) {
    case "session":
      return { ...said, session_id: flagged.session_id };
    case "record":
      return { ...said, entity_id: flagged.entity_id };
    case "response":
      return { ...said, entity_id: flagged.entity_id, context: { response_id: flagged.response_id } };
    case "turn": {
      const { project, conversation_id, turn_id } = flagged;
      return { ...said, context: { project, conversation_id, turn_id } };
    }
  }
}
