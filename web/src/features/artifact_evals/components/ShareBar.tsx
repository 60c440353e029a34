import { Progress } from "@mantine/core";

interface ShareBarProps {
  /** 0 to 100; null where there is nothing to share. */
  value: number | null;
  size?: number;
}

/** A share as a length. Its words stand beside it, so it is not read out. */
export function ShareBar({ value, size = 6 }: ShareBarProps) {
  return (
    <Progress.Root size={size} radius="xl" aria-hidden style={{ background: "var(--gl-line)" }}>
      <Progress.Section value={value ?? 0} color="var(--gl-accent)" withAria={false} />
    </Progress.Root>
  );
}
