import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { useSession } from "@/features/tenants/hooks/useSession";
import { useCan, useTenant } from "@/features/tenants/hooks/useWorkspace";

/** The facts of the first steps; null once somebody has put them away in this browser, and while nothing is known. */
export function useFirstSteps() {
  const { slug, api } = useTenant();
  const { user } = useSession();
  const can = useCan();
  const [isAway, putAway] = useLocalStorage({
    key: `goldloop.first-steps/${user.id}/${slug}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const { data } = useQuery({
    queryKey: ["entities", slug, "first_steps"],
    queryFn: () => unwrap(api.GET("/api/first-steps")),
    enabled: !isAway && can("entities.team.read"),
  });
  return { facts: isAway ? null : (data ?? null), dismiss: () => putAway(true) };
}
