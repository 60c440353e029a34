import { Badge } from "@mantine/core";
import { LICENCE_LOOK, type LicenceState, kappaLine } from "../lib/judges";

/** Whether a judge may decide anything, with what that rests on. */
export function LicenceBadge({ licence }: { licence: LicenceState }) {
  const { label, color, variant, means } = LICENCE_LOOK[licence.status];
  return (
    <Badge component="span" size="sm" color={color} variant={variant} title={`${means}. ${kappaLine(licence)}`} miw="max-content">
      {label}
    </Badge>
  );
}
