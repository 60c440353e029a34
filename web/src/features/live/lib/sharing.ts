/**
 * One stream for all tabs of a browser: it may open only six HTTP/1.1 connections to a server,
 * and a seventh tab would wait forever. The tab that holds a lock has the stream and passes on
 * what arrives; when it goes, the lock and the stream go to the next one.
 */
import type { Emit, LiveMessage, OpenStream } from "./connection";

type TabMessage = LiveMessage | { kind: "newcomer" };

/** False in old browsers, and on plain http from another host. */
export function canShare(): boolean {
  return typeof navigator.locks?.request === "function" && typeof BroadcastChannel === "function";
}

export function shareStream(name: string, open: OpenStream, emit: Emit): () => void {
  const channel = new BroadcastChannel(name);
  const leaving = new AbortController();
  let leading = false;
  let connected = false;
  let upToDate = false;

  const pass = (message: LiveMessage) => {
    if (message.kind === "connected") connected = message.connected;
    channel.postMessage(message);
    emit(message);
  };

  channel.onmessage = ({ data: message }: MessageEvent<TabMessage>) => {
    if (message.kind === "newcomer") {
      if (leading) channel.postMessage({ kind: "connected", connected });
      return;
    }
    emit(message);
    if (message.kind === "hello") upToDate = true;
    // What changed before this tab listened reached the others only.
    if (message.kind === "connected" && message.connected && !upToDate) {
      upToDate = true;
      emit({ kind: "hello" });
    }
  };
  channel.postMessage({ kind: "newcomer" });

  const lead = () =>
    new Promise<void>((release) => {
      if (leaving.signal.aborted) return release();
      leading = true;
      const close = open(pass);
      leaving.signal.addEventListener("abort", () => {
        close();
        release();
      });
    });
  // Rejected when this tab leaves before its turn.
  navigator.locks.request(name, { signal: leaving.signal }, lead).catch(() => {});

  return () => {
    leaving.abort();
    channel.close();
  };
}
