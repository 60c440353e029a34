/** The blocks of a view while it is being edited. */
import { type Fault, fault } from "@/api/faults";
import { isLongerThan } from "@/api/plain";
import type { View, ViewBlock } from "@/api/types";
import { localId } from "@/ui/localId";
import { moved } from "@/ui/move";

export type BlockType = ViewBlock["type"];

export const BLOCK_TYPES = [
  "fields",
  "response-form",
  "responses",
  "score-progression",
  "relations",
  "text",
] as const satisfies BlockType[];

export const BLOCK_LABEL: Record<BlockType, string> = {
  fields: "Fields",
  "response-form": "Response form",
  responses: "Responses",
  "score-progression": "Score over time",
  relations: "Relations",
  text: "Text",
};

export const BLOCK_MEANING: Record<BlockType, string> = {
  fields: "Fields of the record with where they come from",
  "response-form": "How many responses there are, and the form for another",
  responses: "All responses, with review and promotion",
  "score-progression": "How the score developed",
  relations: "The records it is connected with",
  text: "A note to whoever reads the view",
};

/** Every setting that any block has; each type reads its own. */
export interface BlockDraft {
  id: string;
  type: BlockType;
  title: string;
  fields: readonly string[];
  criteriaSetSlug: string;
  fieldKey: string;
  text: string;
}

export interface ViewDraft {
  name: string;
  blocks: readonly BlockDraft[];
}

const MAX_BLOCKS = 50;
const MAX_TEXT = 10_000;
const MAX_NAME = 200;

function newBlock(type: BlockType): BlockDraft {
  return { id: localId(), type, title: "", fields: [], criteriaSetSlug: "", fieldKey: "", text: "" };
}

export function draftOfView({ name, blocks }: Pick<View, "name" | "blocks">): ViewDraft {
  return {
    name,
    blocks: blocks.map((block) => ({
      ...newBlock(block.type),
      title: block.title ?? "",
      fields: block.type === "fields" ? (block.fields ?? []) : [],
      criteriaSetSlug: "criteria_set_slug" in block ? (block.criteria_set_slug ?? "") : "",
      fieldKey: block.type === "relations" ? (block.field_key ?? "") : "",
      text: block.type === "text" ? block.text : "",
    })),
  };
}

export function blockOf(draft: BlockDraft): ViewBlock {
  const title = draft.title.trim() ? { title: draft.title.trim() } : {};
  const slug = draft.criteriaSetSlug ? { criteria_set_slug: draft.criteriaSetSlug } : {};
  switch (draft.type) {
    case "fields":
      return { type: "fields", ...title, ...(draft.fields.length > 0 ? { fields: [...draft.fields] } : {}) };
    case "relations":
      return { type: "relations", ...title, ...(draft.fieldKey ? { field_key: draft.fieldKey } : {}) };
    case "text":
      return { type: "text", ...title, text: draft.text };
    default:
      return { type: draft.type, ...title, ...slug };
  }
}

export function checkView({ name, blocks }: ViewDraft): Fault[] {
  const faults: Fault[] = [];
  if (!name.trim()) faults.push(fault("/name", "empty", "This may not be empty"));
  if (blocks.length > MAX_BLOCKS) faults.push(fault("/blocks", "too_many", `A view has at most ${MAX_BLOCKS} blocks`));
  blocks.forEach(({ title, text }, place) => {
    if (isLongerThan(title.trim(), MAX_NAME)) {
      faults.push(fault(`/blocks/${place}/title`, "too_long", `This has at most ${MAX_NAME} characters`));
    }
    if (isLongerThan(text, MAX_TEXT)) {
      faults.push(fault(`/blocks/${place}/text`, "too_long", `This has at most ${MAX_TEXT} characters`));
    }
  });
  return faults;
}

export type ViewAction =
  | { do: "rename"; name: string }
  | { do: "add"; type: BlockType }
  | { do: "changeBlock"; id: string; part: Partial<Omit<BlockDraft, "id">> }
  | { do: "move"; id: string; delta: -1 | 1 }
  | { do: "remove"; id: string }
  | { do: "reset"; draft: ViewDraft };

export function editView(draft: ViewDraft, action: ViewAction): ViewDraft {
  const { blocks } = draft;
  switch (action.do) {
    case "rename":
      return { ...draft, name: action.name };
    case "add":
      return { ...draft, blocks: [...blocks, newBlock(action.type)] };
    case "changeBlock":
      return { ...draft, blocks: blocks.map((each) => (each.id === action.id ? { ...each, ...action.part } : each)) };
    case "move": {
      const place = blocks.findIndex(({ id }) => id === action.id);
      return place < 0 ? draft : { ...draft, blocks: moved(blocks, place, action.delta) };
    }
    case "remove":
      return { ...draft, blocks: blocks.filter(({ id }) => id !== action.id) };
    case "reset":
      return action.draft;
  }
}
