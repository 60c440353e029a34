import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

class NoResizeObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

function matchNothing(media: string) {
  const ignore = () => {};
  return { matches: false, media, addEventListener: ignore, removeEventListener: ignore } as unknown as MediaQueryList;
}

// jsdom lacks what Mantine measures with; a test in node has no window at all.
if (typeof window !== "undefined") {
  window.matchMedia = matchNothing;
  window.ResizeObserver = NoResizeObserver;
  window.HTMLElement.prototype.scrollIntoView = () => {};
  window.scrollTo = () => {};
  Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
}

configure({ asyncUtilTimeout: 10_000 }); // a busy machine draws late; what never comes still fails

afterEach(() => {
  cleanup();
  if (typeof window !== "undefined") {
    window.sessionStorage.clear();
    window.localStorage.clear();
  }
});
