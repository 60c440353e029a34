import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";

export function NoWorkspacePage() {
  useTitle("No workspace");
  return (
    <>
      <PageHeader title="No workspace" />
      <EmptyState title="You are in no workspace">
        You are signed in, but no workspace has you as a member. Ask an admin for an invitation, and open its link.
      </EmptyState>
    </>
  );
}
