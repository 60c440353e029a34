/** The single source of what Ctrl+K offers besides records and conversations: every page, and every act that begins
 * something. A new concept adds its lines here; `needs` is the permission without which a line is not shown. */
import {
  BackpackIcon,
  ChatBubbleIcon,
  CheckCircledIcon,
  ExitIcon,
  GearIcon,
  LayersIcon,
  PlusIcon,
  ReaderIcon,
  RocketIcon,
} from "@radix-ui/react-icons";
import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

export interface Command {
  name: string;
  /** What else it is found by. */
  words?: string;
  icon: ReactNode;
  needs?: string;
  /** Where it leads; or what is done, by name. */
  link?: ReturnType<typeof linkOptions>;
  act?: "sign-out";
}

const add = <PlusIcon />;
const gear = <GearIcon />;

export const PAGES: readonly Command[] = [
  { name: "Records", icon: <LayersIcon />, link: linkOptions({ to: "/records" }) },
  { name: "Artifact evals", icon: <ReaderIcon />, needs: "artifact_evals.team.read", link: linkOptions({ to: "/artifact-evals" }) },
  { name: "Tasks", words: "inbox review waiting", icon: <CheckCircledIcon />, link: linkOptions({ to: "/tasks" }) },
  { name: "Conversations", words: "agent review transcripts", icon: <ChatBubbleIcon />, link: linkOptions({ to: "/admin/agent-review/conversations" }) },
  { name: "Unclear reactions", words: "agent review queue", icon: <ChatBubbleIcon />, link: linkOptions({ to: "/admin/agent-review/conversations/unclear" }) },
  { name: "Satisfaction", words: "agent review dashboard", icon: <ChatBubbleIcon />, link: linkOptions({ to: "/admin/agent-review/conversations/satisfaction" }) },
  { name: "Sessions", words: "agent review runs traces", icon: <RocketIcon />, link: linkOptions({ to: "/admin/agent-review/sessions" }) },
  { name: "Feedback", words: "agent review groups inbox", icon: <ChatBubbleIcon />, link: linkOptions({ to: "/admin/agent-review/feedback" }) },
  { name: "Feedback over time", words: "agent review trends chart", icon: <ChatBubbleIcon />, needs: "feedback.team.review", link: linkOptions({ to: "/admin/agent-review/feedback/trends" }) },
  { name: "Quality loop", words: "agent review feedback rerun", icon: <ChatBubbleIcon />, needs: "feedback.team.review", link: linkOptions({ to: "/admin/agent-review/feedback/quality" }) },
  { name: "Import feedback", words: "langfuse phoenix langsmith scores", icon: <ChatBubbleIcon />, needs: "feedback.team.review", link: linkOptions({ to: "/admin/agent-review/feedback/import" }) },
  { name: "Label replays", words: "evals judge licence agreement", icon: <ChatBubbleIcon />, needs: "evals.team.label", link: linkOptions({ to: "/admin/agent-review/evals/labelling" }) },
  { name: "Entity types", words: "build fields schema", icon: <BackpackIcon />, link: linkOptions({ to: "/build/types" }) },
  { name: "Criteria sets", words: "build dimensions rubric", icon: <BackpackIcon />, link: linkOptions({ to: "/build/criteria-sets" }) },
  { name: "Views", words: "build layout blocks", icon: <BackpackIcon />, link: linkOptions({ to: "/build/views" }) },
  { name: "Members", words: "settings people roles", icon: gear, link: linkOptions({ to: "/settings/members" }) },
  { name: "API keys", words: "settings", icon: gear, needs: "keys.team.manage", link: linkOptions({ to: "/settings/keys" }) },
  { name: "Agents", words: "settings", icon: gear, link: linkOptions({ to: "/settings/agents" }) },
  { name: "Connect an agent", words: "settings snippets opentelemetry mcp langchain", icon: gear, link: linkOptions({ to: "/settings/agents/connect" }) },
  { name: "Sources", words: "settings agents spans opentelemetry missing", icon: gear, link: linkOptions({ to: "/settings/agents/sources" }) },
  { name: "Webhooks", words: "settings events receivers deliveries", icon: gear, needs: "webhooks.team.manage", link: linkOptions({ to: "/settings/webhooks" }) },
  { name: "Jobs", words: "settings queue failed", icon: gear, link: linkOptions({ to: "/settings/jobs" }) },
  { name: "Audit", words: "settings who did what log", icon: gear, needs: "audit.team.review", link: linkOptions({ to: "/settings/audit" }) },
  { name: "Limits", words: "settings rate requests tokens cost budget storage quota", icon: gear, needs: "limits.team.manage", link: linkOptions({ to: "/settings/limits" }) },
  { name: "Account", words: "settings password", icon: gear, link: linkOptions({ to: "/settings/account" }) },
  { name: "Workspace", words: "settings name", icon: gear, link: linkOptions({ to: "/settings/workspace" }) },
];

export const ACTS: readonly Command[] = [
  { name: "New record", words: "add create make", icon: add, needs: "entities.team.create", link: linkOptions({ to: "/records", search: { new: 1 } }) },
  { name: "New criteria set", words: "add create make", icon: add, needs: "criteria_sets.team.manage", link: linkOptions({ to: "/build/criteria-sets/new" }) },
  { name: "New entity type", words: "add create make", icon: add, needs: "entity_types.team.manage", link: linkOptions({ to: "/build/types", search: { new: 1 } }) },
  { name: "New view", words: "add create make", icon: add, needs: "views.team.manage", link: linkOptions({ to: "/build/views", search: { new: 1 } }) },
  { name: "New member", words: "add invite", icon: add, needs: "members.team.manage", link: linkOptions({ to: "/settings/members", search: { new: 1 } }) },
  { name: "New agent", words: "add register", icon: add, needs: "agents.team.manage", link: linkOptions({ to: "/settings/agents", search: { new: 1 } }) },
  { name: "New key", words: "add api", icon: add, needs: "keys.team.manage", link: linkOptions({ to: "/settings/keys", search: { new: 1 } }) },
  { name: "New webhook", words: "add events receiver", icon: add, needs: "webhooks.team.manage", link: linkOptions({ to: "/settings/webhooks", search: { new: 1 } }) },
  { name: "Measure what lessons are worth", words: "experiment knowledge evals value", icon: add, needs: "evals.team.manage", link: linkOptions({ to: "/admin/agent-review/evals", search: { tab: "experiments", new: 1 } }) },
  { name: "Sign out", words: "log out leave", icon: <ExitIcon />, act: "sign-out" },
];

/** Those that somebody may use and whose words go like what was typed, the beginnings of names first. */
export function matching(commands: readonly Command[], typed: string, can: (permission: string) => boolean): Command[] {
  const terms = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const allowed = commands.filter(({ needs }) => needs === undefined || can(needs));
  if (terms.length === 0) return allowed;
  const begins = (text: string, term: string) => text.toLowerCase().split(/\s+/).some((word) => word.startsWith(term));
  const found = allowed.filter(({ name, words = "" }) => terms.every((term) => begins(`${name} ${words}`, term)));
  const rank = ({ name }: Command) => (name.toLowerCase().startsWith(typed.trim().toLowerCase()) ? 0 : terms.every((term) => begins(name, term)) ? 1 : 2);
  return found.sort((one, other) => rank(one) - rank(other));
}
