import { Badge, Button, Text, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { FeedbackGroup } from "@/api/types";
import type { PagedList } from "@/api/usePagedList";
import { RelativeTime } from "@/ui/RelativeTime";
import { useListKeys } from "@/ui/useListKeys";
import type { Decisions } from "../hooks/useDecisions";
import { type Selection, useSelection } from "../hooks/useSelection";
import { GROUP_ACTS, GROUP_KEYS, type GroupAct } from "../lib/keys";
import { countBefore } from "../lib/outcomes";
import { nextAfter, targetsOf } from "../lib/selection";
import { KIND_LABEL, KIND_MEANS, plural, waitingOf } from "../lib/words";
import { DismissDialog, MergeDialog, ReviewDialog } from "./DecisionDialogs";
import { FeedbackKeysHelp, FeedbackKeysHint } from "./FeedbackKeysHelp";
import { Tick } from "./FeedbackRows";
import { GroupActs } from "./GroupActs";
import { RatingIcon } from "./RatingIcon";
import { Trend } from "./Trend";
import classes from "./feedback.module.css";

interface GroupsPaneProps {
  list: PagedList<FeedbackGroup>;
  group: FeedbackGroup;
  /** The group that the address names. */
  named: string | undefined;
  isActive: boolean;
  decisions: Decisions;
  onGo: (id: string | undefined) => void;
  onOpen: () => void;
}

/** What is being decided, and about which: they stay those that one looked at, whatever comes meanwhile. */
interface Asked {
  act: "review" | "dismiss" | "merge";
  groups: readonly FeedbackGroup[];
  /** The group to go on with. */
  next: string | undefined;
}

export function GroupsPane({ list: { query, rows = [] }, group, named, isActive, decisions, onGo, onOpen }: GroupsPaneProps) {
  const selection = useSelection(rows.map(({ id }) => id));
  const [asked, setAsked] = useState<Asked | null>(null);
  const goOn = (next: string | undefined) => {
    setAsked(null);
    selection.clear();
    onGo(next);
  };
  const end = () => goOn(asked?.next);
  const act = (name: GroupAct, id: string | null) => {
    const groups = targetsOf(rows, selection.selected, id);
    if (name === "open") return onOpen();
    if (name === "select" && id) return selection.toggle(id);
    if (name === "selectRange" && id) return selection.selectTo(id);
    if (groups.length === 0) return decisions.say("There is no group at hand.");
    if (decisions.isBusy) return decisions.say("The last decision is still being saved.");
    const next = nextAfter(rows, groups);
    if (name === "snooze") return void decisions.snooze(groups).then(() => goOn(next));
    if (name === "reopen") return void decisions.reopen(groups).then(() => goOn(next));
    if (name !== "review" && name !== "dismiss" && name !== "merge") return;
    onGo(groups[0]?.id); // it stays in sight, whatever becomes of it meanwhile
    setAsked({ act: name, groups, next });
  };
  const keys = useListKeys<HTMLDivElement, GroupAct>({
    stops: rows.map(({ id }) => ({ id, keys: [] })),
    acts: GROUP_ACTS,
    always: { u: decisions.undoLast, "/": focusSearch },
    start: rows.some(({ id }) => id === named) && isActive ? named : undefined,
    mayWorkAnywhere: isActive,
    isEntered: true,
    onAct: (name, { id }) => act(name, id),
    onMove: ({ id }) => {
      onGo(id);
      if (query.hasNextPage && !query.isFetching && id === rows.at(-1)?.id) void query.fetchNextPage();
    },
  });
  const about = (which: Asked["act"]) => (asked?.act === which ? countBefore(asked.groups) : null);
  return (
    <>
      <div ref={keys.list} className={classes.scrolls}>
        <ul className={classes.rows} aria-label="Groups of feedback">
          {rows.map((row) => (
            <GroupRow
              key={row.id}
              row={row}
              isHere={row.id === group.id}
              selection={selection}
              onFocus={() => keys.onFocus({ id: row.id, key: null })}
              onOpen={() => onGo(row.id)}
            />
          ))}
        </ul>
        {query.hasNextPage && (
          <Button m="xs" size="xs" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        )}
        <Text size="xs" c="dimmed" p="sm">
          These are probably not all: what is worded quite differently is not found.
        </Text>
      </div>
      <div className={classes.foot}>
        {selection.count > 1 ? (
          <GroupActs count={selection.count} state={group.state} whyNot={null} onAct={(name) => act(name, group.id)} />
        ) : (
          <FeedbackKeysHint isNarrow onClick={keys.openHelp} />
        )}
      </div>
      <ReviewDialog
        about={about("review")}
        isBusy={decisions.isBusy}
        onClose={() => setAsked(null)}
        onReview={(status, notes) => asked && void decisions.reviewGroups(asked.groups, status, notes).then(end)}
      />
      <DismissDialog
        about={about("dismiss")}
        isBusy={decisions.isBusy}
        onClose={() => setAsked(null)}
        onDismiss={(reason, note) => asked && void decisions.dismiss(asked.groups, reason, note).then(end)}
      />
      <MergeDialog
        title="Merge into a group"
        action="Merge"
        about={asked?.act === "merge" ? `${asked.groups.length === 1 ? `“${asked.groups[0]?.title ?? ""}” goes` : `${asked.groups.length} groups go`} into the group that you choose, and so does what comes later.` : null}
        rating={asked?.groups[0]?.rating}
        without={asked?.groups.map(({ id }) => id) ?? []}
        isBusy={decisions.isBusy}
        onClose={() => setAsked(null)}
        onChoose={(into) => asked && void decisions.merge(asked.groups, into).then(end)}
      />
      <FeedbackKeysHelp rows={GROUP_KEYS} {...keys.help} />
    </>
  );
}

/** Where words are typed that narrow the list. */
export function focusSearch(): void {
  document.querySelector<HTMLInputElement>("main [role=search] input[type=search]")?.focus();
}

interface GroupRowProps {
  row: FeedbackGroup;
  isHere: boolean;
  selection: Selection;
  onFocus: () => void;
  onOpen: () => void;
}

function GroupRow({ row, isHere, selection, onFocus, onOpen }: GroupRowProps) {
  return (
    <li className={classes.row} data-here={isHere || undefined}>
      <Tick id={row.id} name={row.title} selection={selection} />
      <UnstyledButton
        className={classes.rowButton}
        data-stop={row.id}
        tabIndex={isHere ? 0 : -1}
        aria-current={isHere || undefined}
        onFocus={onFocus}
        onClick={onOpen}
      >
        <span className={classes.rowHead}>
          <RatingIcon rating={row.rating} />
          <bdi className={classes.groupTitle}>{row.title}</bdi>
          <span className={classes.count} title={waitingOf(row)}>
            {row.pending || row.members}
          </span>
        </span>
        <span className={classes.groupMeta}>
          <Badge component="span" size="sm" color="gray" title={KIND_MEANS[row.kind]} miw="max-content">
            {KIND_LABEL[row.kind]}
          </Badge>
          {row.returned && (
            <Badge component="span" size="sm" color="orange" miw="max-content">
              Came back
            </Badge>
          )}
          <Trend days={row.days} />
        </span>
        <Text span size="xs" c="dimmed">
          {plural(row.origins, "origin")} · newest <RelativeTime value={row.last_at} />
        </Text>
      </UnstyledButton>
    </li>
  );
}
