import { Button } from "@mantine/core";
import { LayersIcon, MagnifyingGlassIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { EmptyState } from "@/ui/states";

const icon = <LayersIcon width={20} height={20} />;

/** Before anything can be recorded, someone says what a record consists of. */
export function NoTypesYet() {
  const canDefine = useCan()("entity_types.team.manage");
  return (
    <EmptyState
      icon={icon}
      title="Define a type first"
      action={
        canDefine && (
          <Button mt="xs" renderRoot={(props) => <Link to="/build/types" {...props} />}>
            New type
          </Button>
        )
      }
    >
      A type says what a record consists of, such as a company with its revenue and stage. Records, proposals and forms
      all follow from it.{!canDefine && " An admin or the owner of the workspace can define one."}
    </EmptyState>
  );
}

interface NoRecordsYetProps {
  action: ReactNode;
}

export function NoRecordsYet({ action }: NoRecordsYetProps) {
  return (
    <EmptyState icon={icon} title="No records yet" action={action}>
      Records are listed here with their scores, and each field with where its value came from. Enter the first here, or let a
      program do it with an API key.
    </EmptyState>
  );
}

interface NothingMatchesProps {
  onClear: () => void;
}

export function NothingMatches({ onClear }: NothingMatchesProps) {
  return (
    <EmptyState
      icon={<MagnifyingGlassIcon width={20} height={20} />}
      title="Nothing matches"
      action={
        <Button variant="default" mt="xs" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      No record has this type, score and words together. The search finds words of titles and contents, or their beginnings, and forgives a typo.
    </EmptyState>
  );
}
