import { Anchor, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";

interface ChainLinksProps {
  /** As the chain writes it: `field:<record>/<field>`, `session:<id>`. */
  of: string;
  /** What it is, for whoever does not see where the links stand. */
  name: string;
  /** Where nothing comes before it. */
  isFirst?: boolean;
}

/** The way to what something rests on, and to what rests on it. */
export function ChainLinks({ of, name, isFirst = false }: ChainLinksProps) {
  return (
    <Group gap={10} display="inline-flex">
      {!isFirst && (
        <Anchor
          size="xs"
          underline="always"
          aria-label={`What ${name} rests on`}
          renderRoot={(props) => <Link to="/chain" search={{ from: of }} {...props} />}
        >
          What it rests on
        </Anchor>
      )}
      <Anchor
        size="xs"
        underline="always"
        aria-label={`What rests on ${name}`}
        renderRoot={(props) => <Link to="/chain" search={{ from: of, direction: "forward" }} {...props} />}
      >
        What rests on it
      </Anchor>
    </Group>
  );
}
