import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ClaimSource, ClaimSources, Entity } from "@/api/types";
import { useEntity } from "@/features/entities/hooks/useEntities";
import { useProvenance } from "@/features/entities/hooks/useProvenance";
import { RelativeTime } from "@/ui/RelativeTime";
import { useLasting } from "../hooks/useLasting";
import {
  QUALITY_AVG,
  SOURCE_COUNT,
  carriedNumbers,
  countSources,
  describeRefusal,
  isBehind,
  writtenByOthers,
} from "../lib/claims";

const LATE_MS = 30_000; // five times what a count takes when nothing is in its way

interface ClaimCountedProps {
  entity: Entity;
  /** All of the sources, once they are loaded. */
  all: readonly ClaimSource[] | undefined;
  refused: ClaimSources["refused"];
  /** Whether the sources are those of now. */
  settled: boolean;
}

/** When a claim was counted last; where its numbers are not those of its sources, why, and for how long. */
export function ClaimCounted({ entity, all, refused, settled }: ClaimCountedProps) {
  const { isFetching } = useEntity(entity.id);
  const provenance = useProvenance(entity.id).data;
  const foreign = provenance ? writtenByOthers(entity.content, provenance) : [];
  const differs = all !== undefined && isBehind(carriedNumbers(entity.content), countSources(all));
  const isLate = useLasting(differs, LATE_MS);
  // Both come by themselves: for a moment one of them may be older.
  const behind = differs && settled && !isFetching;
  if (foreign.length > 0 && all) {
    const names = foreign.map((field) => (field === SOURCE_COUNT ? "Sources" : "Average quality")).join(" and ");
    return (
      <span role="status">
        {`${names}: written by hand or by a response, not counted by Goldloop. `}
        {all.length === 0 ? (
          "No source supports this record."
        ) : behind ? (
          <Outlook refused={refused} isLate={isLate} soon="Counted anew within seconds." />
        ) : (
          "The sources say the same."
        )}
      </span>
    );
  }
  if (behind) {
    return (
      <span role="status">
        <Outlook refused={refused} isLate={isLate} soon="The sources have changed: counted anew within seconds" />
      </span>
    );
  }
  const counted = [SOURCE_COUNT, QUALITY_AVG]
    .flatMap((field) => provenance?.get(field) ?? [])
    .filter(({ kind }) => kind === "aggregate")
    .map(({ created_at }) => created_at)
    .sort()
    .at(-1);
  if (!counted && all?.length === 0) return null; // a claim that never had a source is not counted
  return counted ? (
    <>
      Counted <RelativeTime value={counted} />
    </>
  ) : (
    <>Not counted yet</>
  );
}

interface OutlookProps {
  refused: ClaimSources["refused"];
  /** It should have been counted by now. */
  isLate: boolean;
  /** What to say while there is nothing in the way. */
  soon: string;
}

/** When the numbers will be those of the sources, or where to look for why not. */
function Outlook({ refused, isLate, soon }: OutlookProps) {
  if (refused) {
    return (
      <>
        {`Could not be counted: the type of this record refuses ${describeRefusal(refused)}. It is counted once the type allows it; what fails is under `}
        <JobsLink>Settings, Jobs</JobsLink>.
      </>
    );
  }
  if (!isLate) return <>{soon}</>;
  return (
    <>
      The sources have changed and are still not counted. What waits or fails is under <JobsLink>Settings, Jobs</JobsLink>.
    </>
  );
}

function JobsLink({ children }: { children: ReactNode }) {
  return (
    <Anchor inherit renderRoot={(props) => <Link to="/settings/jobs" {...props} />}>
      {children}
    </Anchor>
  );
}
