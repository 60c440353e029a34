import { useBlocker } from "@tanstack/react-router";

/** Asks before a page with unsaved work is left. `isLeaving` lets a finished save go on without asking. */
export function useUnsavedGuard(isDirty: boolean, isLeaving: () => boolean = () => false): void {
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty &&
      !isLeaving() &&
      current.pathname !== next.pathname &&
      !window.confirm("Leave this page? What you changed is not saved."),
    enableBeforeUnload: () => isDirty && !isLeaving(),
  });
}
