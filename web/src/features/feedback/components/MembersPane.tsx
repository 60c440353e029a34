import { Alert, Badge, Group, Text, Title } from "@mantine/core";
import { ResetIcon } from "@radix-ui/react-icons";
import { type ReactNode, useState } from "react";
import type { Feedback, FeedbackGroup } from "@/api/types";
import { notifyProblem } from "@/ui/notify";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { useListKeys } from "@/ui/useListKeys";
import type { Decisions } from "../hooks/useDecisions";
import { useMembers } from "../hooks/useGroups";
import { useSelection } from "../hooks/useSelection";
import { GROUP_KEYS, type GroupAct, MEMBER_ACTS, type MemberAct } from "../lib/keys";
import { countBefore } from "../lib/outcomes";
import { targetsOf } from "../lib/selection";
import { KIND_LABEL, KIND_MEANS, SOURCE_LABEL, decisionOf, plural, waitingOf } from "../lib/words";
import { BackButton } from "./BackButton";
import { DismissDialog, MergeDialog, ReviewDialog } from "./DecisionDialogs";
import { FeedbackKeysHelp } from "./FeedbackKeysHelp";
import { FeedbackRows } from "./FeedbackRows";
import { focusSearch } from "./GroupsPane";
import { GroupActs } from "./GroupActs";
import { MemberActs } from "./MemberActs";
import { NearOnes } from "./NearOnes";
import classes from "./feedback.module.css";

interface MembersPaneProps {
  group: FeedbackGroup;
  /** The member that the address names. */
  named: string | undefined;
  isActive: boolean;
  decisions: Decisions;
  /** The group to go on with when this one is decided. */
  next: string | undefined;
  onGroup: (id: string | undefined) => void;
  onActive: () => void;
  onGo: (id: string) => void;
  onBack: () => void;
  renderSource: (id: string) => ReactNode;
}

/** What is being decided, and about what: the group as it was when one looked. */
type Asked =
  | { of: "group"; act: "review" | "dismiss" | "merge"; seen: FeedbackGroup; next: string | undefined }
  | { of: "members"; act: "review" | "dismiss" | "move"; rows: readonly Feedback[] };

/** What is in a group, and beside it where the one at hand was said. */
export function MembersPane(props: MembersPaneProps) {
  const { group, named, isActive, decisions, next, onGroup, onActive, onGo, onBack, renderSource } = props;
  const list = useMembers(group.id);
  const { query, rows = [] } = list;
  const selection = useSelection(rows.map(({ id }) => id));
  const [asked, setAsked] = useState<Asked | null>(null);
  const at = rows.find(({ id }) => id === named)?.id ?? named ?? rows[0]?.id ?? null;
  const end = () => {
    setAsked(null);
    selection.clear();
  };
  const goOn = (then: string | undefined) => {
    end();
    onGroup(then);
  };
  const act = (name: MemberAct, id: string | null) => {
    if (name === "open" && id) return onGo(id);
    if (name === "back") return onBack();
    if (name === "select" && id) return selection.toggle(id);
    if (name === "selectRange" && id) return selection.selectTo(id);
    const targets = targetsOf(rows, selection.selected, id);
    if (targets.length === 0) return decisions.say("There is nothing at hand.");
    if (decisions.isBusy) return decisions.say("The last decision is still being saved.");
    if (name === "split") {
      if (targets.length === rows.length && !query.hasNextPage) return decisions.say("Some must stay: a group is not split off from itself.");
      return void decisions.split(group, targets).then(end);
    }
    if (name !== "review" && name !== "dismiss" && name !== "move") return;
    onGroup(group.id); // it stays in sight, whatever becomes of it meanwhile
    setAsked({ of: "members", act: name, rows: targets });
  };
  const actOnGroup = (name: GroupAct) => {
    if (name === "snooze") return void decisions.snooze([group]).then(() => goOn(next));
    if (name === "reopen") return void decisions.reopen([group]).then(() => goOn(next));
    if (name !== "review" && name !== "dismiss" && name !== "merge") return;
    onGroup(group.id);
    setAsked({ of: "group", act: name, seen: group, next });
  };
  const keys = useListKeys<HTMLDivElement, MemberAct>({
    stops: rows.map(({ id }) => ({ id, keys: [] })),
    acts: MEMBER_ACTS,
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
  const members = asked?.of === "members" ? asked : null;
  const ofGroup = asked?.of === "group" ? asked : null;
  const itemsText = members ? `${plural(members.rows.length, "item")} of this group.` : null;
  return (
    <>
      <section className={classes.pane} data-pane="members" aria-label="Members" onFocus={onActive}>
        <div className={classes.scrolls}>
          <BackButton onClick={onBack}>Groups</BackButton>
          <GroupHead group={group} onAct={actOnGroup} />
          <div ref={keys.list}>
            <PagedRows list={list} what="members" empty={<Empty />}>
              {(shown) => (
                <FeedbackRows
                  label={`In ${group.title}`}
                  rows={shown}
                  at={at}
                  selection={selection}
                  onFocus={(id) => keys.onFocus({ id, key: null })}
                  onOpen={onGo}
                />
              )}
            </PagedRows>
          </div>
          {group.state === "open" && <NearOnes group={group} decisions={decisions} />}
        </div>
        {selection.count > 0 && (
          <div className={classes.foot}>
            <MemberActs count={selection.count} onAct={(name) => act(name, at)} onClear={selection.clear} />
          </div>
        )}
      </section>
      <section className={classes.pane} data-pane="source" aria-label="Where it comes from">
        <div className={classes.scrolls}>{at && renderSource(at)}</div>
      </section>
      <ReviewDialog
        about={ofGroup?.act === "review" ? countBefore([group]) : members && members.act !== "move" ? itemsText : null}
        first={members?.act === "dismiss" ? "dismissed" : "reviewed"}
        isBusy={decisions.isBusy}
        onClose={() => setAsked(null)}
        onReview={(status, notes) => {
          if (members) void decisions.reviewMany(members.rows, status, notes).then(end, (error: Error) => notifyProblem("Nothing was reviewed", error));
          else if (ofGroup) void decisions.reviewGroups([ofGroup.seen], status, notes).then(() => goOn(ofGroup.next));
        }}
      />
      <DismissDialog
        about={ofGroup?.act === "dismiss" ? countBefore([group]) : null}
        isBusy={decisions.isBusy}
        onClose={() => setAsked(null)}
        onDismiss={(reason, note) => void decisions.dismiss([group], reason, note).then(() => goOn(ofGroup?.next))}
      />
      <MergeDialog
        title={members ? "Move to a group" : "Merge into a group"}
        action={members ? "Move" : "Merge"}
        about={
          ofGroup?.act === "merge"
            ? `“${group.title}” goes into the group that you choose, and so does what comes later.`
            : members?.act === "move"
              ? `${plural(members.rows.length, "item goes", "items go")} to the group that you choose.`
              : null
        }
        rating={group.rating}
        without={[group.id]}
        isBusy={decisions.isBusy}
        onClose={() => setAsked(null)}
        onChoose={(into) => {
          if (members) void decisions.move(members.rows, into).then(end);
          else void decisions.merge([group], into).then(() => goOn(into.id));
        }}
      />
      <FeedbackKeysHelp rows={GROUP_KEYS} {...keys.help} />
    </>
  );
}

function Empty() {
  return (
    <Text size="sm" c="dimmed" p="md">
      Nothing is in this group any more.
    </Text>
  );
}

/** What a group is, and what may be done with it. */
function GroupHead({ group, onAct }: { group: FeedbackGroup; onAct: (act: GroupAct) => void }) {
  const decision = decisionOf(group);
  return (
    <div className={classes.groupHead}>
      <Title order={3} size="h2" className={classes.words}>
        <bdi>{group.title}</bdi>
      </Title>
      <Group gap={6} mt={6}>
        <Badge color="gray" title={KIND_MEANS[group.kind]}>
          {KIND_LABEL[group.kind]}
        </Badge>
        <Text size="xs" c="dimmed">
          {waitingOf(group)} · {plural(group.origins, "origin")} · {group.sources.map((source) => SOURCE_LABEL[source].toLowerCase()).join(", ")} ·{" "}
          <RelativeTime value={group.first_at} /> to <RelativeTime value={group.last_at} />
          {group.cohesion !== null && ` · alike ${Math.round(group.cohesion * 100)}\u00a0%`}
        </Text>
      </Group>
      {decision && (
        <Alert color={group.returned ? "orange" : "gray"} mt="xs" py={6} role="note" icon={<ResetIcon />}>
          {decision}
        </Alert>
      )}
      <GroupActs count={1} state={group.state} whyNot={group.pending === 0 ? "All of it has been reviewed" : null} onAct={onAct} />
    </div>
  );
}
