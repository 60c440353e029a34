import { Badge } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LinkTabs, TAB, TabSection } from "@/ui/LinkTabs";
import { RECORD_TABS, type RecordTab } from "../lib/search";
import { waitingCount, waitingText } from "../lib/waiting";

const LABEL: Record<RecordTab, string> = { record: "Record", responses: "Responses", sessions: "Sessions" };

interface RecordTabsProps {
  entityId: string;
  tab: RecordTab;
  /** How many responses wait for review. */
  waiting: number;
  /** Kept while one looks at the responses. */
  view: string | undefined;
  /** What stands beside the name of a tab. */
  marks?: Partial<Record<RecordTab, ReactNode>>;
  children: ReactNode;
}

export function RecordTabs({ entityId, tab, waiting, view, marks = {}, children }: RecordTabsProps) {
  return (
    <>
      <LinkTabs label="Parts of the record" current={tab}>
        {RECORD_TABS.map((each) => (
          <Link
            key={each}
            to="/records/$id"
            params={{ id: entityId }}
            search={{ ...(each === "record" ? {} : { tab: each }), ...(view ? { view } : {}) }}
            className={TAB}
            aria-current={each === tab ? "page" : undefined}
            activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          >
            {LABEL[each]}
            {each === "responses" && waiting > 0 && <Waiting count={waiting} />}
            {marks[each]}
          </Link>
        ))}
      </LinkTabs>
      <TabSection heading={LABEL[tab]}>{children}</TabSection>
    </>
  );
}

function Waiting({ count }: { count: number }) {
  return (
    <Badge ml={6} size="sm" color="blue" circle={count < 10} aria-label={`, ${waitingText(count)}`}>
      {waitingCount(count)}
    </Badge>
  );
}
