import { Badge } from "@mantine/core";
import { useInbox } from "../hooks/useInbox";
import { totalText } from "../lib/counts";

/** In the navigation: how many things wait for this person; nothing where none does. */
export function InboxCountBadge() {
  const { data } = useInbox();
  const total = data ? totalText(data.data) : null;
  if (total === null) return null;
  return (
    <Badge size="sm" color="blue" ml="auto" aria-label={`${total} waiting`}>
      {total}
    </Badge>
  );
}
