/** Which pages the agent review has: those of its child routes that name a tab. */
import type { AnyRoute } from "@tanstack/react-router";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** What the tab that leads to the route is called, where its parent draws tabs. */
    tab?: string;
  }
}

export interface Section {
  to: string;
  label: string;
}

export function listSections(parent: AnyRoute): Section[] {
  return Object.values((parent.children ?? []) as readonly AnyRoute[]).flatMap(({ fullPath, options }) => {
    const label = (options.staticData as { tab?: string } | undefined)?.tab;
    return label === undefined ? [] : [{ to: fullPath, label }];
  });
}
