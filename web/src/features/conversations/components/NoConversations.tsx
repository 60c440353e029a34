import { Button } from "@mantine/core";
import { ChatBubbleIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "@/ui/states";

export function NoConversations() {
  return (
    <EmptyState
      icon={<ChatBubbleIcon width={20} height={20} />}
      title="No agent activity yet"
      action={
        <Button component={Link} to="/settings/keys" variant="default" mt="xs">
          Connect an agent
        </Button>
      }
    >
      Conversations with your agents, the feedback people give on them and what is learnt from it will be shown here. To
      begin, give an agent an API key.
    </EmptyState>
  );
}
