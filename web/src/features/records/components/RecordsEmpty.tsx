import { Button } from "@mantine/core";
import { LayersIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "@/ui/states";

export function RecordsEmpty() {
  return (
    <EmptyState
      icon={<LayersIcon width={20} height={20} />}
      title="No records yet"
      action={
        <Button component={Link} to="/settings/keys" variant="default" mt="xs">
          Connect an agent
        </Button>
      }
    >
      Records will be listed here with their scores, and each field with where its value came from. Agents and programs
      that add them sign in with an API key.
    </EmptyState>
  );
}
