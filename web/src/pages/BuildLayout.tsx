import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { LinkTabs, TAB } from "@/ui/LinkTabs";
import { PageHeader } from "@/ui/PageHeader";

const TABS = [
  { to: "/build/types", label: "Entity types" },
  { to: "/build/criteria-sets", label: "Criteria sets" },
  { to: "/build/views", label: "Views" },
] as const;

/** What records are made of: their types, how values are proposed, how both are shown. */
export function BuildLayout() {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  return (
    <>
      <PageHeader title="Build" />
      <LinkTabs label="Build" current={pathname}>
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
