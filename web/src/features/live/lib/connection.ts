/** Keeps one stream of server-sent events open, whatever happens to the network. */
export interface LiveHandlers {
  onHello: () => void;
  onChange: (data: string) => void;
  onRefetch: () => void;
  /** The server refused the stream: the session may be over. */
  onRefused: () => void;
  onConnected: (connected: boolean) => void;
}

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;

/** 1, 2, 4 … 30 seconds, spread so that browsers do not all return at once. */
export function reconnectDelay(attempt: number, random: () => number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS);
  return delay * (0.75 + random() * 0.5);
}

/** Opens the stream; the answer closes it. */
export function connectLive(url: string, handlers: LiveHandlers): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;

  const open = () => {
    source = new EventSource(url);
    source.addEventListener("hello", () => {
      attempt = 0;
      handlers.onConnected(true);
      handlers.onHello();
    });
    source.addEventListener("change", (event) => handlers.onChange(event.data));
    source.addEventListener("refetch", () => handlers.onRefetch());
    source.addEventListener("error", () => {
      handlers.onConnected(false);
      // While CONNECTING the browser retries by itself; CLOSED means that it gave up.
      if (source?.readyState !== EventSource.CLOSED) return;
      handlers.onRefused();
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
