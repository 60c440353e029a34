/** Knowledge as a form has it, and what of it was changed. Pure. */
import type { Knowledge, KnowledgeChange, KnowledgeType } from "@/api/types";

/** What is typed; "" stands for all agents, all types, and no words. */
export type KnowledgeDraft = {
  type: KnowledgeType;
  content: string;
  context: string;
  agent_id: string;
  entity_type_id: string;
  pinned: boolean;
};

type Written = Pick<Knowledge, "type" | "content" | "context" | "agent_id" | "entity_type_id" | "pinned">;
export type Changes = Pick<KnowledgeChange, "type" | "content" | "context" | "agent_id" | "entity_type_id" | "pinned">;

/** Of a row, or of one that is to be written. */
export function draftOf(row: Written | null, type: KnowledgeType = "guideline"): KnowledgeDraft {
  return {
    type: row?.type ?? type,
    content: row?.content ?? "",
    context: row?.context ?? "",
    agent_id: row?.agent_id ?? "",
    entity_type_id: row?.entity_type_id ?? "",
    pinned: row?.pinned ?? false,
  };
}

/** What the server is told: only what is otherwise than before. */
export function changesOf(row: Written, draft: KnowledgeDraft): Changes {
  const [content, context] = [draft.content.trim(), draft.context.trim() || null];
  const [agent, type] = [draft.agent_id || null, draft.entity_type_id || null];
  return {
    ...(draft.type === row.type ? {} : { type: draft.type }),
    ...(content === row.content.trim() ? {} : { content }),
    ...(context === (row.context?.trim() || null) ? {} : { context }),
    ...(agent === row.agent_id ? {} : { agent_id: agent }),
    ...(type === row.entity_type_id ? {} : { entity_type_id: type }),
    ...(draft.pinned === row.pinned ? {} : { pinned: draft.pinned }),
  };
}
