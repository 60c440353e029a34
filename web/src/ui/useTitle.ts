import { useEffect } from "react";

/** Names the browser tab: most specific first. */
export function useTitle(...parts: (string | undefined)[]): void {
  const title = [...parts.filter(Boolean), "Goldloop"].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
