import { Button, Group } from "@mantine/core";
import { CheckCircledIcon } from "@radix-ui/react-icons";
import { useRef, useState } from "react";
import { toProblem } from "@/api/problem";
import { EmptyState, ErrorState, LoadingRows, NoAccess } from "@/ui/states";
import { type Decisions, useDecisions } from "../hooks/useDecisions";
import { useGroup, useGroups } from "../hooks/useGroups";
import { nextAfter } from "../lib/selection";
import { type GroupsSearch, isNarrowed, noFilters } from "../lib/search";
import { GroupFilters } from "./FeedbackFilters";
import { GroupsPane } from "./GroupsPane";
import { HappenedDialog } from "./HappenedDialog";
import { MembersPane } from "./MembersPane";
import { Said } from "./Said";
import { SourcePane } from "./SourcePane";
import classes from "./feedback.module.css";

interface GroupInboxProps {
  search: GroupsSearch;
  onChange: (change: Partial<GroupsSearch>) => void;
}

export type Pane = "groups" | "members";

/** Groups, what is in the one at hand, and where that was said: beside each other, or on a phone one after the other. */
export function GroupInbox({ search, onChange }: GroupInboxProps) {
  const list = useGroups(search);
  const named = useGroup(search.group).data;
  const decisions = useDecisions();
  const frame = useRef<HTMLDivElement>(null);
  const [pane, setPane] = useState<Pane>("groups");
  const rows = list.rows ?? [];
  const group = rows.find(({ id }) => id === search.group) ?? named ?? rows[0];
  const focusIn = (where: Pane) => {
    setPane(where);
    frame.current?.querySelector<HTMLElement>(`[data-pane="${where}"] li[data-here] button`)?.focus();
  };
  const change = (part: Partial<GroupsSearch>) => onChange({ ...part, group: undefined, feedback: undefined });
  if (toProblem(list.query.error).status === 403 && !list.rows) return <NoAccess what="everybody's feedback" />;
  return (
    <div data-wide>
      <GroupFilters search={search} onChange={change} />
      {list.query.isPending && <LoadingRows label="groups" rows={6} />}
      {list.query.isError && !list.rows && <ErrorState error={list.query.error} onRetry={() => void list.query.refetch()} />}
      {list.rows && !group && <NoGroups isNarrowed={isNarrowed(search)} onClear={() => change(noFilters())} decisions={decisions} />}
      {list.rows && group && (
        <div ref={frame} className={classes.panes} data-depth={search.feedback ? "source" : search.group ? "members" : "groups"}>
          <section className={classes.pane} data-pane="groups" aria-label="What waits" onFocus={() => setPane("groups")}>
            <GroupsPane
              list={list}
              group={group}
              named={search.group}
              isActive={pane === "groups"}
              decisions={decisions}
              onGo={(id) => onChange({ group: id, feedback: undefined })}
              onOpen={() => focusIn("members")}
            />
          </section>
          <MembersPane
            key={group.id}
            group={group}
            named={search.feedback}
            isActive={pane === "members"}
            decisions={decisions}
            next={nextAfter(rows, [group])}
            onActive={() => setPane("members")}
            onGroup={(id) => onChange({ group: id, feedback: id === group.id ? search.feedback : undefined })}
            onGo={(id) => onChange({ group: group.id, feedback: id })}
            onBack={() => {
              onChange({ group: undefined, feedback: undefined });
              focusIn("groups");
            }}
            renderSource={(id) => (
              <SourcePane key={id} id={id} back={{ label: group.title, onBack: () => onChange({ group: group.id, feedback: undefined }) }} />
            )}
          />
        </div>
      )}
      <Said decisions={decisions} />
      <HappenedDialog decisions={decisions} />
    </div>
  );
}

interface NoGroupsProps {
  isNarrowed: boolean;
  onClear: () => void;
  decisions: Decisions;
}

function NoGroups({ isNarrowed: narrowed, onClear, decisions }: NoGroupsProps) {
  return (
    <EmptyState
      icon={<CheckCircledIcon width={20} height={20} />}
      title={narrowed ? "Nothing matches" : "No group waits"}
      action={
        <Group gap="xs" mt="xs">
          {narrowed && (
            <Button variant="default" onClick={onClear}>
              Clear filters
            </Button>
          )}
          {decisions.happened.length > 0 && (
            <Button variant="default" onClick={decisions.undoLast}>
              Undo the last decision
            </Button>
          )}
        </Group>
      }
    >
      {narrowed
        ? "No group fits all of these filters."
        : "When two or more people, agents or runs say the same, it is put together here. What stands alone is under “In no group”."}
    </EmptyState>
  );
}
