import { Badge, Loader } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { useLiveUpdates } from "../hooks/useLiveUpdates";

/** Runs the live connection for a workspace; visible only while it is gone. */
export function LiveStatus({ tenant, userId }: { tenant: string; userId: string }) {
  const { reconnecting } = useLiveUpdates(tenant, userId);
  const { online } = useNetwork();
  return (
    <span role="status">
      {!online && <Badge color="gray">Offline: what you see may be old</Badge>}
      {online && reconnecting && (
        <Badge color="gold" leftSection={<Loader size={10} color="currentColor" aria-hidden />}>
          Reconnecting…
        </Badge>
      )}
    </span>
  );
}
