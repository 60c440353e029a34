import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { LinkTabs, TAB, TabSection } from "@/ui/LinkTabs";
import { useKnowledgeCounts } from "../hooks/useKnowledge";
import { countOf } from "../lib/counts";
import { type KnowledgeSearch, isCounted, searchOfType } from "../lib/search";
import { TYPES, TYPE_LOOK } from "../lib/words";
import classes from "./knowledge.module.css";

const HOME = "/admin/agent-review/knowledge";
const OTHERS = [
  { to: `${HOME}/prompt`, label: "What is in the prompt" },
  { to: `${HOME}/review`, label: "Review agent" },
] as const;

interface KnowledgeTabsProps {
  /** The page that is shown. */
  current: typeof HOME | (typeof OTHERS)[number]["to"];
  search?: KnowledgeSearch;
  children: ReactNode;
}

/** Knowledge by type, what prompts hold of it, and the agent that proposes more. Whoever only reads sees what prompts hold. */
export function KnowledgeTabs({ current, search = {}, children }: KnowledgeTabsProps) {
  const mayManage = useCan()("knowledge.team.manage");
  const { data } = useKnowledgeCounts(mayManage);
  const counts = isCounted(search) ? data : undefined;
  const isHome = current === HOME;
  const heading = isHome ? (search.type ? TYPE_LOOK[search.type].many : "All knowledge") : OTHERS.find(({ to }) => to === current)?.label;
  return (
    <>
      {mayManage && (
        <LinkTabs label="Knowledge" look="inner" current={`${current} ${search.type ?? ""} ${data?.length ?? ""}`}>
          {[undefined, ...TYPES].map((type) => {
            const count = countOf(counts, type, search.state);
            return (
              <Link
                key={type ?? "all"}
                to={HOME}
                search={searchOfType(search, type)}
                className={TAB}
                aria-current={isHome && type === search.type ? "page" : undefined}
                activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
              >
                {type ? TYPE_LOOK[type].many : "All"}
                {count !== null && <span className={classes.tabCount}> {count}</span>}
              </Link>
            );
          })}
          <span className={classes.between} aria-hidden />
          {OTHERS.map(({ to, label }) => (
            <Link key={to} to={to} className={TAB} activeOptions={{ includeSearch: false }}>
              {label}
            </Link>
          ))}
        </LinkTabs>
      )}
      <TabSection heading={heading ?? "Knowledge"}>{children}</TabSection>
    </>
  );
}
