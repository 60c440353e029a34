import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { PageHeader } from "@/ui/PageHeader";
import classes from "./shell.module.css";

const TABS = [
  { to: "/settings/members", label: "Members" },
  { to: "/settings/keys", label: "API keys" },
  { to: "/settings/agents", label: "Agents" },
  { to: "/settings/types", label: "Entity types" },
  { to: "/settings/criteria-sets", label: "Criteria sets" },
  { to: "/settings/views", label: "Views" },
  { to: "/settings/jobs", label: "Jobs" },
  { to: "/settings/account", label: "Account" },
  { to: "/settings/workspace", label: "Workspace" },
] as const;

export function SettingsLayout() {
  const tabs = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  // On a phone the tabs scroll; the current one must be in sight.
  useEffect(() => {
    tabs.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ inline: "nearest", block: "nearest" });
  }, [pathname]);
  return (
    <>
      <PageHeader title="Settings" />
      <nav ref={tabs} className={classes.tabs} aria-label="Settings">
        {TABS.map(({ to, label }) => (
          <Link key={to} to={to} className={classes.tab} activeOptions={{ includeSearch: false }}>
            {label}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}
