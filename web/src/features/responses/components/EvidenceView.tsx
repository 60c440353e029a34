import { Anchor, Badge, Group, Stack, Text } from "@mantine/core";
import { ExternalLinkIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { type Confidence, type Source, readEvidence } from "../lib/fieldMeta";

const CONFIDENCE: Record<Confidence, { label: string; color: string }> = {
  high: { label: "High confidence", color: "green" },
  medium: { label: "Medium confidence", color: "gold" },
  low: { label: "Low confidence", color: "orange" },
};

interface EvidenceViewProps {
  /** `field_meta` of one dimension. */
  meta: unknown;
}

/** How sure whoever proposed a value was, and what they point to. */
export function EvidenceView({ meta }: EvidenceViewProps) {
  const { confidence, sources, effort } = readEvidence(meta);
  if (!confidence && sources.length === 0) return null;
  return (
    <Stack gap={4} align="flex-start">
      {confidence && (
        <Group gap={6}>
          <Badge size="sm" color={CONFIDENCE[confidence].color} title={effort ?? undefined}>
            {CONFIDENCE[confidence].label}
          </Badge>
        </Group>
      )}
      {sources.length > 0 && (
        <Stack component="ul" gap={2} m={0} p={0} style={{ listStyle: "none" }} aria-label="Evidence">
          {sources.map((source, index) => (
            // Evidence has no identity of its own.
            <li key={index}>
              <SourceView source={source} />
            </li>
          ))}
        </Stack>
      )}
    </Stack>
  );
}

function SourceView({ source }: { source: Source }) {
  return (
    <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: "anywhere" }}>
      {source.kind}: <SourceLabel source={source} />
      {source.quote && (
        <Text size="xs" component="q" fs="italic" display="block">
          {source.quote}
        </Text>
      )}
    </Text>
  );
}

function SourceLabel({ source: { label, url, entityId } }: { source: Source }) {
  if (entityId) {
    return (
      <Anchor
        size="xs"
        underline="always"
        renderRoot={(props) => <Link to="/records/$id" params={{ id: entityId }} {...props} />}
      >
        {label}
      </Anchor>
    );
  }
  if (!url) return label;
  return (
    <Anchor size="xs" underline="always" href={url} target="_blank" rel="noopener noreferrer nofollow">
      {label}
      <ExternalLinkIcon
        width={11}
        height={11}
        style={{ marginLeft: 3, verticalAlign: "-1px" }}
        role="img"
        aria-label="opens in a new tab"
      />
    </Anchor>
  );
}
