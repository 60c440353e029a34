import { Button, Code, Group, Stack, Text, VisuallyHidden } from "@mantine/core";
import { CheckIcon, CopyIcon } from "@radix-ui/react-icons";
import { useEffect, useState } from "react";
import { copyText } from "./copy";

const SHOWN_MS = 2_000; // long enough to notice, short enough to copy twice

interface CopyBoxProps {
  label: string;
  value: string;
  /** Copying is what one is to do first: the text is shown once. */
  autoFocus?: boolean;
}

/** Text to take away: shown whole, copied with one press. */
export function CopyBox({ label, value, autoFocus = false }: CopyBoxProps) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  return (
    <Stack gap={6}>
      <Group justify="space-between" align="center" wrap="nowrap">
        <Text size="sm" fw={550}>
          {label}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          data-autofocus={autoFocus || undefined}
          aria-label={`Copy ${label.toLowerCase()}`}
          leftSection={outcome === "copied" ? <CheckIcon /> : <CopyIcon />}
          onClick={async () => setOutcome((await copyText(value)) ? "copied" : "failed")}
        >
          {outcome === "copied" ? "Copied" : outcome === "failed" ? "Select and copy" : "Copy"}
        </Button>
      </Group>
      <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {value}
      </Code>
      <VisuallyHidden role="status">{outcome === "copied" ? `${label} copied` : ""}</VisuallyHidden>
    </Stack>
  );
}
