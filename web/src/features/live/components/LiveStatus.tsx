import { Badge, Loader } from "@mantine/core";
import { useLiveUpdates } from "../hooks/useLiveUpdates";

/** Runs the live connection for a workspace; visible only while it is gone. */
export function LiveStatus({ tenant, userId }: { tenant: string; userId: string }) {
  const { reconnecting } = useLiveUpdates(tenant, userId);
  return (
    <span role="status">
      {reconnecting && (
        <Badge color="gold" leftSection={<Loader size={10} color="currentColor" aria-hidden />}>
          Reconnecting…
        </Badge>
      )}
    </span>
  );
}
