import { VisuallyHidden } from "@mantine/core";
import { type ReactNode, useEffect, useId, useRef } from "react";
import classes from "./LinkTabs.module.css";

/** The look of a link among LinkTabs. */
export const TAB = classes.tab;

interface LinkTabsProps {
  label: string;
  /** Changes with the tab, and with what makes the tabs wider. */
  current: string;
  /** Inner tabs stand below others. */
  look?: "page" | "inner";
  children: ReactNode;
}

/** Each tab is an address of its own, so these are links and not buttons. */
export function LinkTabs({ label, current, look = "page", children }: LinkTabsProps) {
  const tabs = useRef<HTMLElement>(null);
  // On a phone the tabs scroll; the current one must be in sight.
  useEffect(() => {
    if (!current) return;
    tabs.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ inline: "nearest", block: "nearest" });
  }, [current]);
  return (
    <nav ref={tabs} className={classes.tabs} data-look={look} aria-label={label}>
      {children}
    </nav>
  );
}

interface TabSectionProps {
  heading: string;
  children: ReactNode;
}

/** What a tab shows; its heading is for those who do not see which tab is marked. */
export function TabSection({ heading, children }: TabSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <VisuallyHidden component="h2" id={id}>
        {heading}
      </VisuallyHidden>
      {children}
    </section>
  );
}
