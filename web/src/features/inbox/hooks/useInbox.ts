import { useQuery } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

/** What waits for this person, by kind; read anew whenever anything changes. */
export function useInbox() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["inbox", slug],
    queryFn: () => unwrap(api.GET("/api/inbox")),
    enabled: slug !== "",
  });
}
