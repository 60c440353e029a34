import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { RECORD_TABS, type RecordTab } from "../lib/search";
import classes from "./record.module.css";

const LABEL: Record<RecordTab, string> = { record: "Record", responses: "Responses" };

interface RecordTabsProps {
  entityId: string;
  tab: RecordTab;
  /** Kept while one looks at the responses. */
  view: string | undefined;
  children: ReactNode;
}

/** Each tab is an address of its own, so these are links and not buttons. */
export function RecordTabs({ entityId, tab, view, children }: RecordTabsProps) {
  const heading = useId();
  return (
    <>
      <nav className={classes.tabs} aria-label="Parts of the record">
        {RECORD_TABS.map((each) => (
          <Link
            key={each}
            to="/records/$id"
            params={{ id: entityId }}
            search={{ ...(each === "record" ? {} : { tab: each }), ...(view ? { view } : {}) }}
            className={classes.tab}
            data-current={each === tab || undefined}
            aria-current={each === tab ? "page" : undefined}
            activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          >
            {LABEL[each]}
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
