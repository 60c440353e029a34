import { Badge } from "@mantine/core";

/** Something was begun here and waits to be finished. */
export function DraftBadge() {
  return (
    <Badge color="orange" title="Begun in this browser and not sent" style={{ flex: "none" }}>
      Draft
    </Badge>
  );
}
