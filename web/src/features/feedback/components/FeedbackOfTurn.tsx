import { useFeedbackAbout } from "../hooks/useFeedback";
import { contextOf } from "../lib/context";
import { FeedbackLines } from "./FeedbackAbout";

interface FeedbackOfTurnProps {
  project: string;
  conversation: string;
  turnId: string;
}

/** What was flagged about a turn; reactions to it are shown as such. One answer serves all turns of a conversation. */
export function FeedbackOfTurn({ project, conversation, turnId }: FeedbackOfTurnProps) {
  const { rows: all = [] } = useFeedbackAbout({ project, conversation_id: conversation });
  const rows = all.filter((row) => row.source_type !== "chat" && contextOf(row).turn_id === turnId);
  return rows.length > 0 ? <FeedbackLines rows={rows} /> : null;
}
