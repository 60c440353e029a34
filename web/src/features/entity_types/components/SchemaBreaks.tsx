import { Alert, Anchor, List, Text } from "@mantine/core";
import { ExclamationTriangleIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { SchemaBreak } from "../lib/breaks";

/** The records to put right before a schema can be saved. */
export function SchemaBreaks({ breaks }: { breaks: readonly SchemaBreak[] }) {
  if (breaks.length === 0) return null;
  return (
    <Alert
      color="red"
      role="alert"
      icon={<ExclamationTriangleIcon />}
      title="Records of this type do not satisfy the new schema"
    >
      <List size="sm" spacing={4}>
        {breaks.map(({ id, title, path, message }) => (
          <List.Item key={id}>
            <Anchor
              c="inherit"
              td="underline"
              inherit
              renderRoot={(props) => <Link to="/records/$id" params={{ id }} {...props} />}
            >
              {title}
            </Anchor>
            <Text size="sm">{`${path.replace(/^\/content\//, "")}: ${message}`}</Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
