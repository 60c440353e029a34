import type { Emit, OpenStream } from "./connection";

/** A stream only while the tab is seen; on return the new stream's `hello` reads everything again. */
export function streamWhileVisible(open: OpenStream, emit: Emit): () => void {
  let close: (() => void) | null = null;
  const follow = () => {
    if (document.visibilityState === "visible") {
      close ??= open(emit);
    } else {
      close?.();
      close = null;
    }
  };
  follow();
  document.addEventListener("visibilitychange", follow);
  return () => {
    document.removeEventListener("visibilitychange", follow);
    close?.();
  };
}
