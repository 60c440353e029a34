import { Badge } from "@mantine/core";
import type { KnowledgeFlag, KnowledgeState, KnowledgeType } from "@/api/types";
import { FLAG_LOOK, STATE_LOOK, TYPE_LOOK } from "../lib/words";

export function StateBadge({ state }: { state: KnowledgeState }) {
  const { label, color, means } = STATE_LOOK[state];
  return (
    <Badge component="span" size="sm" color={color} title={means} miw="max-content">
      {label}
    </Badge>
  );
}

export function TypeBadge({ type }: { type: KnowledgeType }) {
  const { label, means } = TYPE_LOOK[type];
  return (
    <Badge component="span" size="sm" color="gray" title={means} miw="max-content">
      {label}
    </Badge>
  );
}

/** What a person should look at. */
export function FlagBadges({ flags }: { flags: readonly KnowledgeFlag[] }) {
  return flags.map((flag) => (
    <Badge key={flag} component="span" size="sm" color={FLAG_LOOK[flag].color ?? "orange"} title={FLAG_LOOK[flag].means} miw="max-content">
      {FLAG_LOOK[flag].label}
    </Badge>
  ));
}
