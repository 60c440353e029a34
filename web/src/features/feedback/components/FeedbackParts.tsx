import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { LinkTabs, TAB, TabSection } from "@/ui/LinkTabs";
import { PARTS, type Part, searchOfPart } from "../lib/search";

interface FeedbackPartsProps {
  current: Part["to"];
  search: object;
  children: ReactNode;
}

/** The pages of feedback beside each other; what narrows one narrows the next. Whoever sees only their own has one. */
export function FeedbackParts({ current, search, children }: FeedbackPartsProps) {
  const mayReview = useCan()("feedback.team.review");
  const shown = PARTS.find(({ to }) => to === current) ?? PARTS[0];
  return (
    <>
      {mayReview && (
        <LinkTabs label="Feedback" look="inner" current={current}>
          {PARTS.map((part) => (
            <Link
              key={part.to}
              to={part.to}
              search={searchOfPart(part, search) as never}
              className={TAB}
              activeOptions={{ exact: true, includeSearch: false }}
            >
              {part.label}
            </Link>
          ))}
        </LinkTabs>
      )}
      <TabSection heading={shown.label}>{children}</TabSection>
    </>
  );
}
