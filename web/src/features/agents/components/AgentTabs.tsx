import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LinkTabs, TAB, TabSection } from "@/ui/LinkTabs";
import { AGENT_TABS, type AgentTab } from "../lib/search";

const LABEL: Record<AgentTab, string> = {
  configuration: "Configuration",
  versions: "Versions",
  sessions: "Sessions",
  responses: "Responses",
  keys: "Keys",
};

interface AgentTabsProps {
  agentId: string;
  tab: AgentTab;
  /** What stands beside the name of a tab. */
  marks?: Partial<Record<AgentTab, ReactNode>>;
  children: ReactNode;
}

export function AgentTabs({ agentId, tab, marks = {}, children }: AgentTabsProps) {
  return (
    <>
      <LinkTabs label="Parts of the agent" look="inner" current={tab}>
        {AGENT_TABS.map((each) => (
          <Link
            key={each}
            to="/settings/agents/$id"
            params={{ id: agentId }}
            search={each === "configuration" ? {} : { tab: each }}
            className={TAB}
            aria-current={each === tab ? "page" : undefined}
            activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          >
            {LABEL[each]}
            {marks[each]}
          </Link>
        ))}
      </LinkTabs>
      <TabSection heading={LABEL[tab]}>{children}</TabSection>
    </>
  );
}
