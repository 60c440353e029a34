import { Badge } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LinkTabs, TAB, TabSection } from "@/ui/LinkTabs";
import { useUnsettledCount } from "../hooks/useUnsettled";
import { PARTS, type Part, searchOfPart } from "../lib/search";

interface ConversationPartsProps {
  current: Part["to"];
  search: object;
  children: ReactNode;
}

/** The conversations pages beside each other; what narrows one narrows the next. */
export function ConversationParts({ current, search, children }: ConversationPartsProps) {
  const waiting = useUnsettledCount(undefined).data?.count ?? 0;
  const shown = PARTS.find(({ to }) => to === current) ?? PARTS[0];
  return (
    <>
      <LinkTabs label="Conversations" look="inner" current={`${current} ${waiting}`}>
        {PARTS.map((part) => (
          <Link
            key={part.to}
            to={part.to}
            search={searchOfPart(part, search)}
            className={TAB}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {part.label}
            {part === PARTS[1] && <Waiting count={waiting} />}
          </Link>
        ))}
      </LinkTabs>
      <TabSection heading={shown.label}>{children}</TabSection>
    </>
  );
}

const MOST_COUNTED = 1000; // where the server stops

/** How many wait for a person, whatever the filters. */
function Waiting({ count }: { count: number }) {
  if (count === 0) return null;
  const number = count.toLocaleString("en");
  return (
    <Badge size="sm" ml={6} color="gold" style={{ verticalAlign: "1px" }}>
      {count >= MOST_COUNTED ? `${number} or more` : number}
    </Badge>
  );
}
