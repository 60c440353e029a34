import { List, Text } from "@mantine/core";
import type { Kept } from "@/api/types";

/** What stays, and why. */
export function KeptList({ kept }: { kept: Kept[] }) {
  if (kept.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        This stays, without personal text
      </Text>
      <List size="sm" spacing={4}>
        {kept.map(({ what, count, why }) => (
          <List.Item key={what}>
            <b>
              {count > 0 && `${count.toLocaleString("en")} `}
              {what.replaceAll("_", " ")}
            </b>
            : {why}.
          </List.Item>
        ))}
      </List>
    </div>
  );
}
