import { Button, Group, Text } from "@mantine/core";
import { CheckCircledIcon } from "@radix-ui/react-icons";
import { useState } from "react";
import type { Feedback } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { CsvButton } from "@/ui/CsvButton";
import { notifyProblem } from "@/ui/notify";
import { PagedRows } from "@/ui/PagedRows";
import { EmptyState } from "@/ui/states";
import { useListKeys } from "@/ui/useListKeys";
import { useDecisions } from "../hooks/useDecisions";
import { useFeedback, useFeedbackCsv } from "../hooks/useFeedback";
import { useSelection } from "../hooks/useSelection";
import { LIST_KEYS, MEMBER_ACTS, type MemberAct } from "../lib/keys";
import { ANY, type FeedbackSearch, isNarrowed, noFilters } from "../lib/search";
import { targetsOf } from "../lib/selection";
import { plural } from "../lib/words";
import { MergeDialog, ReviewDialog } from "./DecisionDialogs";
import { ListFilters } from "./FeedbackFilters";
import { FeedbackKeysHelp, FeedbackKeysHint } from "./FeedbackKeysHelp";
import { FeedbackRows } from "./FeedbackRows";
import { Said } from "./Said";
import { focusSearch } from "./GroupsPane";
import { HappenedDialog } from "./HappenedDialog";
import { MemberActs } from "./MemberActs";
import { SourcePane } from "./SourcePane";
import classes from "./feedback.module.css";

interface FeedbackListProps {
  search: FeedbackSearch;
  onChange: (change: Partial<FeedbackSearch>) => void;
  /** Only what is in no group. */
  single?: boolean;
}

interface Asked {
  act: "review" | "dismiss" | "move";
  rows: readonly Feedback[];
}

/** Feedback one by one, newest first, and beside it where it was said. Whoever may not review sees their own. */
export function FeedbackList({ search, onChange, single = false }: FeedbackListProps) {
  const list = useFeedback(search, single);
  const fetchCsv = useFeedbackCsv(search, single);
  const { query, rows = [] } = list;
  const mayReview = useCan()("feedback.team.review");
  const decisions = useDecisions();
  const selection = useSelection(rows.map(({ id }) => id));
  const [asked, setAsked] = useState<Asked | null>(null);
  const at = search.feedback ?? rows[0]?.id ?? null;
  const go = (id: string) => onChange({ feedback: id });
  const end = () => {
    setAsked(null);
    selection.clear();
  };
  const act = (name: MemberAct, id: string | null) => {
    if (name === "open" && id) return go(id);
    if (name === "back") return onChange({ feedback: undefined });
    if (!mayReview) return decisions.say("Admins review feedback.");
    if (name === "select" && id) return selection.toggle(id);
    if (name === "selectRange" && id) return selection.selectTo(id);
    const targets = targetsOf(rows, selection.selected, id);
    if (targets.length > 0 && (name === "review" || name === "dismiss" || name === "move")) setAsked({ act: name, rows: targets });
  };
  const keys = useListKeys<HTMLDivElement, MemberAct>({
    stops: rows.map(({ id }) => ({ id, keys: [] })),
    acts: MEMBER_ACTS,
    always: { "/": focusSearch, ...(mayReview ? { u: decisions.undoLast } : {}) },
    start: rows.some(({ id }) => id === search.feedback) ? search.feedback : undefined,
    mayWorkAnywhere: true,
    isEntered: true,
    onAct: (name, { id }) => act(name, id),
    onMove: ({ id }) => {
      go(id);
      if (query.hasNextPage && !query.isFetching && id === rows.at(-1)?.id) void query.fetchNextPage();
    },
  });
  const change = (part: Partial<FeedbackSearch>) => onChange({ ...part, feedback: undefined });
  const narrowed = isNarrowed(search);
  return (
    <div data-wide>
      {(narrowed || single || rows.length > 0) && <ListFilters search={search} fallback={single ? "pending" : ANY} onChange={change} />}
      {rows.length > 0 && (
        <Group justify="flex-end" mb="xs">
          <CsvButton fetchCsv={fetchCsv} name="feedback.csv" />
        </Group>
      )}
      {!mayReview && rows.length > 0 && (
        <Text size="sm" c="dimmed" mb="sm" role="note">
          This is the feedback that you gave. Admins see everybody's and review it.
        </Text>
      )}
      <PagedRows list={list} what="feedback" empty={<Nothing isNarrowed={narrowed} isSingle={single} onClear={() => change(noFilters())} />}>
        {(shown) => (
          <div className={classes.panes} data-two data-depth={search.feedback ? "source" : "members"}>
            <section className={classes.pane} data-pane="members" aria-label="Feedback">
              <div className={classes.scrolls} ref={keys.list}>
                <FeedbackRows
                  label="Feedback"
                  rows={shown}
                  at={at}
                  selection={mayReview ? selection : null}
                  onFocus={(id) => keys.onFocus({ id, key: null })}
                  onOpen={go}
                />
              </div>
              <div className={classes.foot}>
                {selection.count > 0 ? (
                  <MemberActs count={selection.count} isInGroup={false} onAct={(name) => act(name, at)} onClear={selection.clear} />
                ) : (
                  <FeedbackKeysHint onClick={keys.openHelp} />
                )}
              </div>
            </section>
            <section className={classes.pane} data-pane="source" aria-label="Where it comes from">
              <div className={classes.scrolls}>
                {at && <SourcePane key={at} id={at} back={{ label: "Feedback", onBack: () => onChange({ feedback: undefined }) }} />}
              </div>
            </section>
          </div>
        )}
      </PagedRows>
      <Said decisions={decisions} />
      <ReviewDialog
        about={asked && asked.act !== "move" ? `${plural(asked.rows.length, "item")}.` : null}
        first={asked?.act === "dismiss" ? "dismissed" : "reviewed"}
        isBusy={decisions.isBusy}
        onClose={() => setAsked(null)}
        onReview={(status, notes) => asked && void decisions.reviewMany(asked.rows, status, notes).then(end, (error: Error) => notifyProblem("Nothing was reviewed", error))}
      />
      <MergeDialog
        title="Move to a group"
        action="Move"
        about={asked?.act === "move" ? `${plural(asked.rows.length, "item goes", "items go")} to the group that you choose.` : null}
        rating={asked?.rows[0]?.rating}
        without={[]}
        isBusy={decisions.isBusy}
        onClose={() => setAsked(null)}
        onChoose={(into) => asked && void decisions.move(asked.rows, into).then(end)}
      />
      <HappenedDialog decisions={decisions} />
      <FeedbackKeysHelp rows={LIST_KEYS} {...keys.help} />
    </div>
  );
}

interface NothingProps {
  isNarrowed: boolean;
  isSingle: boolean;
  onClear: () => void;
}

function Nothing({ isNarrowed: narrowed, isSingle, onClear }: NothingProps) {
  return (
    <EmptyState
      icon={<CheckCircledIcon width={20} height={20} />}
      title={narrowed ? "Nothing matches" : isSingle ? "Nothing stands alone" : "No feedback yet"}
      action={
        narrowed && (
          <Group mt="xs">
            <Button variant="default" onClick={onClear}>
              Clear filters
            </Button>
          </Group>
        )
      }
    >
      {narrowed
        ? "No feedback fits all of these filters."
        : "Reactions to answers, rejected values, failed sessions and what is flagged come together here by themselves."}
    </EmptyState>
  );
}
