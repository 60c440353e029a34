import { useSyncExternalStore } from "react";
import { isDraftKept, watchDrafts } from "./drafts";

/** Whether something is begun and waits under a name that begins so, as it is now. */
export function useIsDraftKept(start: string): boolean {
  return useSyncExternalStore(watchDrafts, () => isDraftKept(start));
}
