import { Badge } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useUnsettledCount } from "@/features/conversations/hooks/useUnsettled";
import { type AgentReviewSearch, TABS, type Tab, searchOfTab } from "@/features/conversations/lib/search";
import { LinkTabs, TAB, TabSection } from "@/ui/LinkTabs";

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

export function AgentReviewTabs({ tab, search, children }: AgentReviewTabsProps) {
  const waiting = useUnsettledCount(undefined).data?.count ?? 0;
  return (
    <>
      <LinkTabs label="Agent review" current={`${tab} ${waiting}`}>
        {TABS.map((each) => (
          <Link
            key={each}
            to="/admin/agent-review"
            search={searchOfTab(each, search)}
            className={TAB}
            aria-current={each === tab ? "page" : undefined}
            activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          >
            {LABEL[each]}
            {each === "unclear" && <Waiting count={waiting} />}
          </Link>
        ))}
      </LinkTabs>
      <TabSection heading={LABEL[tab]}>{children}</TabSection>
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
