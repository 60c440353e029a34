import { Button } from "@mantine/core";
import { MagnifyingGlassIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";

export function NotFoundPage() {
  useTitle("Page not found");
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        icon={<MagnifyingGlassIcon width={20} height={20} />}
        title="There is nothing at this address"
        action={
          <Button component={Link} to="/records" variant="default">
            Go to records
          </Button>
        }
      >
        The link may be mistyped, or it may belong to another workspace.
      </EmptyState>
    </>
  );
}
