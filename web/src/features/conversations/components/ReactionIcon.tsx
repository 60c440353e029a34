import { MinusCircledIcon } from "@radix-ui/react-icons";
import type { Reaction } from "@/api/types";

const SIZE = 15; // as the other icons

/** Says nothing by itself: its words stand beside it. */
export function ReactionIcon({ reaction, filled = false }: { reaction: Reaction; filled?: boolean }) {
  if (reaction === "neutral") return <MinusCircledIcon aria-hidden />;
  return (
    <svg
      width={SIZE}
      height={SIZE}
      viewBox="0 0 15 15"
      fill={filled ? "currentColor" : "none"}
      fillOpacity={0.25}
      stroke="currentColor"
      strokeWidth={1.1}
      strokeLinejoin="round"
      aria-hidden
    >
      <g transform={reaction === "not_ok" ? "rotate(180 7.5 7.5)" : undefined}>
        <path d="M5 7 8 1.5c1.2 0 1.9.9 1.7 2L9.2 6H12c1 0 1.7.9 1.5 1.9l-.9 4.2c-.2.8-.8 1.4-1.6 1.4H5Z" />
        <path d="M5 7H2.5c-.6 0-1 .4-1 1v4.5c0 .6.4 1 1 1H5Z" />
      </g>
    </svg>
  );
}
