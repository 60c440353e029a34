import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { connectLive } from "../lib/connection";
import { invalidateAll, invalidateTopics, parseTopics } from "../lib/invalidation";

const PATIENCE_MS = 5_000; // most interruptions are over by then, and nobody needs to know

/** Keeps what is on the screen true; says whether the connection has been gone for a while. */
export function useLiveUpdates(tenant: string): { reconnecting: boolean } {
  const queryClient = useQueryClient();
  const [connected, setConnected] = useState(true);
  const [reconnecting, setReconnecting] = useState(false);

  useEffect(() => {
    if (!tenant) return;
    return connectLive(`/api/events?tenant=${encodeURIComponent(tenant)}`, {
      onHello: () => void invalidateAll(queryClient),
      onRefetch: () => void invalidateAll(queryClient),
      onChange: (data) => {
        const topics = parseTopics(data);
        void (topics ? invalidateTopics(queryClient, topics) : invalidateAll(queryClient));
      },
      onRefused: () => void queryClient.invalidateQueries({ queryKey: ["session"] }),
      onConnected: setConnected,
    });
  }, [queryClient, tenant]);

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
