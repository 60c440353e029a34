import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { SourcesList } from "@/features/agents/components/SourcesList";
import { BackLink } from "@/ui/BackLink";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";

export function SourcesPage() {
  useTitle("Sources", "Settings");
  const connect = (
    <Button variant="default" renderRoot={(props) => <Link to="/settings/agents/connect" {...props} />}>
      Connect an agent
    </Button>
  );
  return (
    <>
      <BackLink to="/settings/agents">Agents</BackLink>
      <PageHeader
        order={2}
        title="Sources"
        description="Which programs send spans, what each of them leaves out, and the setting that turns it on."
        actions={connect}
      />
      <SourcesList
        empty={
          <EmptyState title="No spans yet" action={connect}>
            A program that is instrumented with OpenTelemetry sends them here with an address and a key.
          </EmptyState>
        }
      />
    </>
  );
}
