import { Link, type LinkProps } from "@tanstack/react-router";
import { LinkTabs, TAB } from "@/ui/LinkTabs";
import type { Section } from "../lib/sections";

/** The pages of the agent review beside each other; one alone needs no tabs. */
export function ReviewSections({ sections, current }: { sections: readonly Section[]; current: string }) {
  if (sections.length < 2) return null;
  return (
    <LinkTabs label="Agent review" current={current}>
      {sections.map(({ to, label }) => (
        <Link key={to} to={to as NonNullable<LinkProps["to"]>} className={TAB} activeOptions={{ includeSearch: false }}>
          {label}
        </Link>
      ))}
    </LinkTabs>
  );
}
