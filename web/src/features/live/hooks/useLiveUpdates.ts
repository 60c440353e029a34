import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Emit, type LiveMessage, connectLive } from "../lib/connection";
import { invalidateAll, invalidateChanged, parseChange } from "../lib/invalidation";
import { canShare, shareStream } from "../lib/sharing";
import { streamWhileVisible } from "../lib/visibility";

const PATIENCE_MS = 5_000; // most interruptions are over by then, and nobody needs to know

/** Keeps what is on the screen true; says whether the connection has been gone for a while. */
export function useLiveUpdates(tenant: string, userId: string): { reconnecting: boolean } {
  const queryClient = useQueryClient();
  const [connected, setConnected] = useState(true);
  const [reconnecting, setReconnecting] = useState(false);

  useEffect(() => {
    if (!tenant) return;
    const open = (emit: Emit) => connectLive(`/api/events?tenant=${encodeURIComponent(tenant)}`, emit);
    const take = (message: LiveMessage) => {
      if (message.kind === "connected") setConnected(message.connected);
      else void refresh(queryClient, message);
    };
    // What a stream tells hangs on who opened it.
    return canShare() ? shareStream(`goldloop-live:${tenant}:${userId}`, open, take) : streamWhileVisible(open, take);
  }, [queryClient, tenant, userId]);

  useEffect(() => {
    if (connected) {
      setReconnecting(false);
      return;
    }
    const timer = setTimeout(() => setReconnecting(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [connected]);

  return { reconnecting };
}

function refresh(queryClient: QueryClient, message: Exclude<LiveMessage, { kind: "connected" }>): Promise<void> {
  if (message.kind === "refused") return queryClient.invalidateQueries({ queryKey: ["session"] });
  const change = message.kind === "change" ? parseChange(message.data) : null;
  return change ? invalidateChanged(queryClient, change) : invalidateAll(queryClient);
}
