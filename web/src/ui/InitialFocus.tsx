import { type ReactNode, useEffect, useRef } from "react";

const USABLE = ":not(:disabled, [type=hidden], [data-disabled])";
const FIELDS = ["input", "select", "textarea"].map((field) => `form ${field}${USABLE}`).join(", ");

/**
 * Where the focus belongs in something that opens: on what is marked by `data-autofocus` (the confirming act, where there
 * is nothing to fill in), else in the first field of its form. Null while that is loading, and where nothing is asked.
 */
export function findFocus(root: Element): HTMLElement | null {
  const find = (selector: string) => root.querySelector<HTMLElement>(selector);
  const marked = find(`[data-autofocus]${USABLE}`);
  if (marked || find("[aria-busy=true]")) return marked;
  return find(FIELDS);
}

/**
 * Around what a dialog asks: the focus is in the same place each time it opens, however late its content comes, and it
 * is not lost when what has it goes. A dialog's frame gives its first focus to what is marked, which is this.
 */
export function InitialFocus({ children }: { children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  const isPlaced = useRef(false);
  const isPressed = useRef(false);
  const place = () => {
    const target = root.current && findFocus(root.current);
    if (target) isPlaced.current = true;
    (target ?? root.current)?.focus({ preventScroll: true });
  };
  useEffect(() => {
    if (!root.current) return;
    const rescue = () => {
      const { activeElement: active } = document;
      const isLost = active === null || active === document.body;
      if (isLost || (!isPlaced.current && active === root.current)) place();
    };
    rescue();
    const observer = new MutationObserver(rescue);
    observer.observe(root.current, {
      childList: true,
      subtree: true,
      attributeFilter: ["disabled", "data-disabled", "data-autofocus", "aria-busy"],
    });
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={root}
      tabIndex={-1}
      data-autofocus
      style={{ outline: "none" }}
      // By a click beside what is asked it gets the focus too, and that is to stay where it is.
      onMouseDown={() => (isPressed.current = true)}
      onMouseUp={() => (isPressed.current = false)}
      onFocus={({ target, currentTarget }) => {
        if (target === currentTarget && !isPressed.current) place();
      }}
    >
      {children}
    </div>
  );
}
