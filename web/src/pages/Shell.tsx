import { AppShell, Burger, Divider, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { ChatBubbleIcon, CheckCircledIcon, Component1Icon, GearIcon, LayersIcon, ReaderIcon } from "@radix-ui/react-icons";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { InboxCountBadge } from "@/features/inbox/components/InboxCountBadge";
import { LiveStatus } from "@/features/live/components/LiveStatus";
import { AccountMenu } from "@/features/tenants/components/AccountMenu";
import { WorkspaceSwitcher } from "@/features/tenants/components/WorkspaceSwitcher";
import { useSession } from "@/features/tenants/hooks/useSession";
import { useCan, useCurrentWorkspace } from "@/features/tenants/hooks/useWorkspace";
import { sessionQuery } from "@/features/tenants/lib/sessionQuery";
import { ColorSchemeMenu } from "@/ui/ColorSchemeMenu";
import { Logo } from "@/ui/Logo";
import { NoWorkspacePage } from "./NoWorkspacePage";
import { Palette } from "./Palette";
import classes from "./shell.module.css";

const NAVIGATION = [
  { to: "/records", label: "Records", Icon: LayersIcon, needs: null },
  { to: "/artifact-evals", label: "Artifact evals", Icon: ReaderIcon, needs: "artifact_evals.team.read" },
  { to: "/tasks", label: "Tasks", Icon: CheckCircledIcon, needs: null },
  { to: "/admin/agent-review", label: "Agent review", Icon: ChatBubbleIcon, needs: null },
  { to: "/build", label: "Build", Icon: Component1Icon, needs: null },
  { to: "/settings", label: "Settings", Icon: GearIcon, needs: null },
] as const;

/** Leaves for the sign-in as soon as the session is known to be over. */
export function Shell() {
  const { data: session } = useQuery(sessionQuery);
  const router = useRouter();
  // The route's own guard then sends them to the sign-in, and knows where to return to.
  useEffect(() => {
    if (session === null) void router.invalidate();
  }, [session, router]);
  return session ? <SignedInShell /> : null;
}

function SignedInShell() {
  const { user, workspaces } = useSession();
  const current = useCurrentWorkspace();
  const can = useCan();
  const [opened, { toggle, close }] = useDisclosure(false);
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  useEffect(close, [pathname, close]);

  return (
    <AppShell header={{ height: 52 }} navbar={{ width: 216, breakpoint: "sm", collapsed: { mobile: !opened } }}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      {/* Above the navigation, so that its menus may hang over it. */}
      <AppShell.Header className={classes.header} zIndex={102}>
        <Burger
          opened={opened}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={opened ? "Close navigation" : "Open navigation"}
          aria-expanded={opened}
        />
        <Link to="/" className={classes.brand} aria-label="Goldloop, home">
          <Logo />
          <Group visibleFrom="sm">Goldloop</Group>
        </Link>
        {current && (
          <>
            <Divider orientation="vertical" my={16} mx={4} />
            <WorkspaceSwitcher current={current} workspaces={workspaces} />
          </>
        )}
        <Group ml="auto" gap={6} wrap="nowrap">
          {current && <Palette />}
          {current && <LiveStatus tenant={current.slug} userId={user.id} />}
          <ColorSchemeMenu />
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label="Main">
        {NAVIGATION.filter(({ needs }) => needs === null || can(needs)).map(({ to, label, Icon }) => (
          <Link key={to} to={to} className={classes.link} activeOptions={{ includeSearch: false }}>
            <Icon width={16} height={16} aria-hidden />
            {label}
            {to === "/tasks" && current && <InboxCountBadge />}
          </Link>
        ))}
      </AppShell.Navbar>
      <AppShell.Main className={classes.main} id="main" tabIndex={-1}>
        <div className={classes.content}>
          {/* A new workspace starts every page afresh. */}
          {current ? <Outlet key={current.slug} /> : <NoWorkspacePage />}
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
