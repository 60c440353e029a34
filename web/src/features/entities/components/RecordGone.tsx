import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { toProblem } from "@/api/problem";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState, NoAccess } from "@/ui/states";

interface RecordGoneProps {
  error: unknown;
  onRetry: () => void;
}

/** What stands where a record would: it is not there, not for this person, or could not be loaded. */
export function RecordGone(props: RecordGoneProps) {
  return (
    <>
      <PageHeader title="Record" />
      <Reason {...props} />
    </>
  );
}

function Reason({ error, onRetry }: RecordGoneProps) {
  const { status } = toProblem(error);
  if (status === 403) return <NoAccess what="records" />;
  if (status !== 404 && status !== 422) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <EmptyState
      title="There is no such record"
      action={
        <Button variant="default" mt="xs" renderRoot={(props) => <Link to="/records" {...props} />}>
          All records
        </Button>
      }
    >
      It was deleted, or belongs to another workspace.
    </EmptyState>
  );
}
