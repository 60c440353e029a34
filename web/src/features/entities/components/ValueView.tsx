import { Anchor, Badge, Code, Group, Spoiler, Text } from "@mantine/core";
import { Markdown } from "@/ui/Markdown";
import { formatValue, isEmpty, safeUrl } from "../lib/values";

const LONG = 320; // characters that fit in about four lines

interface ValueViewProps {
  value: unknown;
  size?: "sm" | "md";
  /** The text is Markdown. */
  rich?: boolean;
  /** What is said where there is no value. */
  none?: string;
}

/** A value drawn for what it is: text with its line breaks, an address as a link, a list as tags. */
export function ValueView({ value, size = "md", rich = false, none = "No value yet" }: ValueViewProps) {
  if (isEmpty(value)) {
    return (
      <Text span size={size} c="dimmed">
        {none}
      </Text>
    );
  }
  const url = safeUrl(value);
  if (url) {
    return (
      <Anchor size={size} href={url} target="_blank" rel="noopener noreferrer nofollow" style={{ overflowWrap: "anywhere" }}>
        {formatValue(value)}
      </Anchor>
    );
  }
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return (
      <Group gap={6}>
        {value.map((item, index) => (
          <Badge key={index} color="gray">
            {formatValue(item)}
          </Badge>
        ))}
      </Group>
    );
  }
  if (typeof value === "object") {
    return (
      <Code block tabIndex={0} role="region" aria-label="Value" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {JSON.stringify(value, null, 2)}
      </Code>
    );
  }
  return (
    <LongText size={size} rich={rich}>
      {formatValue(value)}
    </LongText>
  );
}

interface LongTextProps {
  size: "sm" | "md";
  rich: boolean;
  children: string;
}

function LongText({ size, rich, children }: LongTextProps) {
  const text = rich ? (
    <Markdown>{children}</Markdown>
  ) : (
    <Text size={size} component="span" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
      {children}
    </Text>
  );
  if (children.length <= LONG && children.split("\n").length <= 5) return text;
  return (
    <Spoiler maxHeight={112} showLabel="Show all" hideLabel="Show less">
      {text}
    </Spoiler>
  );
}
