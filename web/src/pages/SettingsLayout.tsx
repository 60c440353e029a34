import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { LinkTabs, TAB } from "@/ui/LinkTabs";
import { PageHeader } from "@/ui/PageHeader";

const TABS = [
  { to: "/settings/members", label: "Members" },
  { to: "/settings/keys", label: "API keys" },
  { to: "/settings/agents", label: "Agents" },
  { to: "/settings/webhooks", label: "Webhooks" },
  { to: "/settings/jobs", label: "Jobs" },
  { to: "/settings/audit", label: "Audit" },
  { to: "/settings/limits", label: "Limits" },
  { to: "/settings/export", label: "Export" },
  { to: "/settings/deleting", label: "Deleting" },
  { to: "/settings/account", label: "Account" },
  { to: "/settings/workspace", label: "Workspace" },
] as const;

export function SettingsLayout() {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  return (
    <>
      <PageHeader title="Settings" />
      <LinkTabs label="Settings" current={pathname}>
        {TABS.map(({ to, label }) => (
          <Link key={to} to={to} className={TAB} activeOptions={{ includeSearch: false }}>
            {label}
          </Link>
        ))}
      </LinkTabs>
      <Outlet />
    </>
  );
}
