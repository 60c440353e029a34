import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import type { Session, Workspace } from "@/api/types";
import { sessionQuery } from "@/features/tenants/lib/sessionQuery";
import { theme } from "@/theme";

export const session: Session = {
  user: { id: "0190a000-0000-7000-8000-000000000001", email: "ada@example.com", name: "Ada" },
  csrf_token: "token",
  workspaces: [{ slug: "engines", name: "Engines", role: "admin", user_id: "0190a000-0000-7000-8000-000000000003" }],
};

export const workspace: Workspace = {
  id: "0190a000-0000-7000-8000-000000000002",
  slug: "engines",
  name: "Engines",
  role: "admin",
  permissions: ["*.team.read", "keys.team.manage"],
  created_at: "2026-01-01T00:00:00Z",
};

/** Draws a component as it is inside the shell: themed, signed in unless it is nobody, in a workspace. */
export function renderSignedIn(children: ReactNode, who: Session | null = session) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } });
  queryClient.setQueryData(sessionQuery.queryKey, who);
  queryClient.setQueryData(["workspace", "engines"], workspace);
  const view = render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </MantineProvider>,
  );
  return { queryClient, ...view };
}
