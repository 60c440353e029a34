import { Group, Progress, Text, VisuallyHidden } from "@mantine/core";
import { alongScale, formatQuality } from "../lib/claims";

interface QualityMeterProps {
  quality: number;
  /** Null where the ratings do not share one: then there is a number and no length. */
  scale: [number, number] | null;
  width?: number | string;
}

/** A quality as a number and as a length; the bar repeats the number and is not read out. */
export function QualityMeter({ quality, scale, width = 96 }: QualityMeterProps) {
  return (
    <Group gap={10} wrap="nowrap">
      {scale && <QualityBar quality={quality} scale={scale} width={width} />}
      {/* As wide as 8.33 of 10, so that the bars of a list stand beneath each other. */}
      <Text span size="sm" fw={600} miw={70} ta="right" style={{ fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" }}>
        <VisuallyHidden>Quality </VisuallyHidden>
        {formatQuality(quality)}
        {scale && (
          <Text span size="xs" c="dimmed" fw={400}>
            {` of ${scale[1]}`}
          </Text>
        )}
      </Text>
    </Group>
  );
}

interface QualityBarProps {
  quality: number;
  scale: [number, number];
  width: number | string;
}

export function QualityBar({ quality, scale, width }: QualityBarProps) {
  return (
    <Progress.Root size={6} w={width} radius="xl" aria-hidden style={{ background: "var(--gl-line)", flex: "none" }}>
      <Progress.Section value={alongScale(quality, scale)} color="var(--gl-accent)" withAria={false} />
    </Progress.Root>
  );
}
