import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LinkTabs, TAB, TabSection } from "@/ui/LinkTabs";
import { type EvalsSearch, TABS } from "../lib/search";

const LABELS = { goldens: "Goldens", runs: "Runs", experiments: "Experiments", matrix: "Matrix", trend: "Trend", judges: "Judges" } as const;

interface EvalsTabsProps {
  search: EvalsSearch;
  children: ReactNode;
}

/** Goldens, their runs, and what these show together; the set goes along. */
export function EvalsTabs({ search: { tab, set }, children }: EvalsTabsProps) {
  const current = tab ?? "goldens";
  return (
    <>
      <LinkTabs label="Evals" look="inner" current={current}>
        {[undefined, ...TABS].map((each) => (
          <Link
            key={each ?? "goldens"}
            to="/admin/agent-review/evals"
            search={{ ...(each ? { tab: each } : {}), ...(set ? { set } : {}) }}
            className={TAB}
            aria-current={each === tab ? "page" : undefined}
            activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          >
            {LABELS[each ?? "goldens"]}
          </Link>
        ))}
      </LinkTabs>
      <TabSection heading={LABELS[current]}>{children}</TabSection>
    </>
  );
}
