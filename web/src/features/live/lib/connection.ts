/** Keeps one stream of server-sent events open, whatever happens to the network. */
export type LiveMessage =
  | { kind: "hello" }
  | { kind: "change"; data: string }
  | { kind: "refetch" }
  /** The server refused the stream: the session may be over. */
  | { kind: "refused" }
  | { kind: "connected"; connected: boolean };

export type Emit = (message: LiveMessage) => void;
/** Opens a stream; the answer closes it. */
export type OpenStream = (emit: Emit) => () => void;

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;

/** 1, 2, 4 … 30 seconds, spread so that browsers do not all return at once. */
export function reconnectDelay(attempt: number, random: () => number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS);
  return delay * (0.75 + random() * 0.5);
}

export function connectLive(url: string, emit: Emit): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;

  const open = () => {
    source = new EventSource(url);
    source.addEventListener("hello", () => {
      attempt = 0;
      emit({ kind: "connected", connected: true });
      emit({ kind: "hello" });
    });
    source.addEventListener("change", (event) => emit({ kind: "change", data: event.data }));
    source.addEventListener("refetch", () => emit({ kind: "refetch" }));
    source.addEventListener("error", () => {
      emit({ kind: "connected", connected: false });
      // While CONNECTING the browser retries by itself; CLOSED means that it gave up.
      if (source?.readyState !== EventSource.CLOSED) return;
      emit({ kind: "refused" });
      timer = setTimeout(open, reconnectDelay(attempt, Math.random));
      attempt += 1;
    });
  };

  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
