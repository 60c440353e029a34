import { Badge } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useUnsettledCount } from "@/features/conversations/hooks/useUnsettled";
import { type AgentReviewSearch, TABS, type Tab, searchOfTab } from "@/features/conversations/lib/search";
import classes from "./agentReview.module.css";

const LABEL: Record<Tab, string> = {
  conversations: "Conversations",
  unclear: "Which answer did you mean?",
  satisfaction: "Satisfaction",
};

interface AgentReviewTabsProps {
  tab: Tab;
  search: AgentReviewSearch;
  children: ReactNode;
}

/** Each tab is an address of its own, so these are links and not buttons. */
export function AgentReviewTabs({ tab, search, children }: AgentReviewTabsProps) {
  const heading = useId();
  const tabs = useRef<HTMLElement>(null);
  const waiting = useUnsettledCount(undefined).data?.count ?? 0;
  // On a phone the tabs scroll; the current one must be in sight.
  useEffect(() => {
    tabs.current?.querySelector("[data-current]")?.scrollIntoView({ inline: "nearest", block: "nearest" });
  }, [tab, waiting]);
  return (
    <>
      <nav ref={tabs} className={classes.tabs} aria-label="Agent review">
        {TABS.map((each) => (
          <Link
            key={each}
            to="/admin/agent-review"
            search={searchOfTab(each, search)}
            className={classes.tab}
            data-current={each === tab || undefined}
            aria-current={each === tab ? "page" : undefined}
            activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          >
            {LABEL[each]}
            {each === "unclear" && <Waiting count={waiting} />}
          </Link>
        ))}
      </nav>
      <section aria-labelledby={heading}>
        <h2 id={heading} className={classes.hidden}>
          {LABEL[tab]}
        </h2>
        {children}
      </section>
    </>
  );
}

const MOST_COUNTED = 1000; // where the server stops

/** How many wait for a person, whatever the filters. */
function Waiting({ count }: { count: number }) {
  if (count === 0) return null;
  const said = count.toLocaleString("en");
  return (
    <Badge size="sm" ml={6} color="gold" style={{ verticalAlign: "1px" }}>
      {count >= MOST_COUNTED ? `${said} or more` : said}
    </Badge>
  );
}
