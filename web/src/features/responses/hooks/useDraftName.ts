import { useSession } from "@/features/tenants/hooks/useSession";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

/** Under which name something begun is kept: nobody else sees it, and nowhere else. */
export function useDraftName(): (...about: string[]) => string {
  const { user } = useSession();
  const { slug } = useTenant();
  return (...about) => [user.id, slug, ...about].join("/");
}
