import { Badge } from "@mantine/core";

/** Something was begun here and waits to be finished. */
export function DraftBadge({ ml }: { ml?: number }) {
  return (
    <Badge color="orange" ml={ml} title="Begun in this browser and not sent" style={{ flex: "none" }}>
      Draft
    </Badge>
  );
}
