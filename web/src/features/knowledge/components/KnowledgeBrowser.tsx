import { Button, Group, Text } from "@mantine/core";
import { LightningBoltIcon, PlusIcon } from "@radix-ui/react-icons";
import { useState } from "react";
import type { Knowledge } from "@/api/types";
import { CsvButton } from "@/ui/CsvButton";
import { PagedRows } from "@/ui/PagedRows";
import { EmptyState } from "@/ui/states";
import { useListKeys } from "@/ui/useListKeys";
import { useKnowledge, useKnowledgeCsv, useUses } from "../hooks/useKnowledge";
import { useKnowledgeDecisions } from "../hooks/useKnowledgeDecisions";
import { useScopes } from "../hooks/useScopes";
import { KNOWLEDGE_ACTS, type KnowledgeAct, STEPS, type Step, stepLabel } from "../lib/keys";
import { type KnowledgeSearch, isNarrowed, noFilters } from "../lib/search";
import { isMeasurable } from "../lib/value";
import { STATE_LOOK } from "../lib/words";
import { DecideDialog } from "./DecideDialog";
import { EditDialog, NewDialog } from "./KnowledgeDialogs";
import { KnowledgeFilters } from "./KnowledgeFilters";
import { KnowledgeKeysHelp, KnowledgeKeysHint } from "./KnowledgeKeysHelp";
import { KnowledgePane } from "./KnowledgePane";
import { KnowledgeTable } from "./KnowledgeTable";
import classes from "./knowledge.module.css";

interface KnowledgeBrowserProps {
  search: KnowledgeSearch;
  onChange: (change: Partial<KnowledgeSearch>) => void;
  /** Asks for an experiment on a row; absent for whoever may begin none. */
  onMeasure?: ((row: Knowledge) => void) | undefined;
}

/** What is being decided: it stays the row that one looked at, whatever becomes of it meanwhile. */
type Asked = { act: Step; row: Knowledge } | { act: "edit" | "retype"; row: Knowledge };

const EDITS = ["edit", "retype"];

/** What was learnt as a table; with one open, the list beside it. */
export function KnowledgeBrowser({ search, onChange, onMeasure }: KnowledgeBrowserProps) {
  const list = useKnowledge(search);
  const fetchCsv = useKnowledgeCsv(search);
  const { query, rows = [] } = list;
  const uses = useUses(rows.map(({ id }) => id)).data;
  const scopes = useScopes();
  const decisions = useKnowledgeDecisions();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const at = search.row ?? rows.find(({ id }) => id === focused)?.id ?? rows[0]?.id ?? null;
  const isOpen = search.row !== undefined;
  const measure = (row: Knowledge) => {
    if (!onMeasure) return decisions.say("Your role does not include experiments.");
    if (!isMeasurable(row)) return decisions.say(`Measure: not for what is ${STATE_LOOK[row.state].label.toLowerCase()}.`);
    onMeasure(row);
  };
  const ask = (name: KnowledgeAct, row: Knowledge | undefined) => {
    if (!row) return decisions.say("There is nothing at hand.");
    if (decisions.isBusy) return decisions.say("The last decision is still being saved.");
    if (name === "edit" || name === "retype") return setAsked({ act: name, row });
    if (name === "open" || name === "back") return;
    if (name === "measure") return measure(row);
    if (!STEPS[row.state].includes(name)) return decisions.say(`${stepLabel(name, row.state)}: not for what is ${STATE_LOOK[row.state].label.toLowerCase()}.`);
    setAsked({ act: name, row });
  };
  const keys = useListKeys<HTMLDivElement, KnowledgeAct>({
    stops: rows.map(({ id }) => ({ id, keys: [] })),
    acts: KNOWLEDGE_ACTS,
    always: { u: decisions.undoLast, "/": focusSearch, n: () => onChange({ new: 1 }) },
    start: rows.some(({ id }) => id === search.row) ? search.row : undefined,
    mayWorkAnywhere: true,
    isEntered: true,
    onAct: (name, { id }) => {
      if (name === "open") return onChange({ row: id });
      if (name === "back") return onChange({ row: undefined });
      ask(name, rows.find((row) => row.id === id));
    },
    onMove: ({ id }) => {
      if (isOpen) onChange({ row: id });
      if (query.hasNextPage && !query.isFetching && id === rows.at(-1)?.id) void query.fetchNextPage();
    },
  });
  const change = (part: Partial<KnowledgeSearch>) => onChange({ ...part, row: undefined });
  const detail = search.row && (
    <section className={classes.pane} data-pane="detail" aria-label="The open row">
      <div className={classes.scrolls}>
        <KnowledgePane
          key={search.row}
          id={search.row}
          scopes={scopes}
          decisions={decisions}
          onAsk={ask}
          mayMeasure={onMeasure !== undefined}
          onGo={(id) => onChange({ row: id })}
          onBack={() => onChange({ row: undefined })}
        />
      </div>
    </section>
  );
  const step = asked && !EDITS.includes(asked.act) ? (asked as { act: Step; row: Knowledge }) : null;
  return (
    <div data-wide>
      <div className={classes.head}>
        <KnowledgeFilters search={search} onChange={change} />
        <Group gap="xs" wrap="nowrap">
          <CsvButton fetchCsv={fetchCsv} name="knowledge.csv" />
          <Button leftSection={<PlusIcon />} onClick={() => onChange({ new: 1 })}>
            New knowledge
          </Button>
        </Group>
      </div>
      <PagedRows
        list={list}
        what="rows"
        empty={
          detail ? (
            <div className={classes.panes} data-open data-alone>
              {detail}
            </div>
          ) : (
            <Nothing isNarrowed={isNarrowed(search)} isOfType={search.type !== undefined} onClear={() => change(noFilters())} onNew={() => onChange({ new: 1 })} />
          )
        }
      >
        {(shown) => (
          <div className={classes.panes} data-open={isOpen || undefined}>
            <section className={classes.pane} data-pane="rows" aria-label="Knowledge">
              <div className={classes.scrolls} ref={keys.list}>
                <KnowledgeTable
                  rows={shown}
                  at={at}
                  uses={uses}
                  scopes={scopes}
                  isMixed={search.type === undefined}
                  onFocus={(id) => {
                    setFocused(id);
                    keys.onFocus({ id, key: null });
                  }}
                  onOpen={(id) => onChange({ row: id })}
                />
              </div>
              <div className={classes.foot}>
                <KnowledgeKeysHint isNarrow={isOpen} onClick={keys.openHelp} />
              </div>
            </section>
            {detail}
          </div>
        )}
      </PagedRows>
      <Group gap="xs" mih={28} mt="xs">
        <Text size="sm" role="status">
          {decisions.message}
        </Text>
      </Group>
      <DecideDialog asked={step} scopes={scopes} decisions={decisions} onClose={() => setAsked(null)} />
      <EditDialog
        row={asked && EDITS.includes(asked.act) ? asked.row : null}
        first={asked?.act === "retype" ? "type" : "content"}
        scopes={scopes}
        decisions={decisions}
        onClose={() => setAsked(null)}
      />
      <NewDialog
        opened={search.new === 1}
        type={search.type}
        actions={decisions.actions}
        onClose={() => onChange({ new: undefined })}
        onMade={(id) => onChange({ new: undefined, row: id, ...noFilters(), type: undefined })}
      />
      <KnowledgeKeysHelp {...keys.help} />
    </div>
  );
}

/** Where words are typed that narrow the list. */
function focusSearch(): void {
  document.querySelector<HTMLInputElement>("main [role=search] input[type=search]")?.focus();
}

interface NothingProps {
  isNarrowed: boolean;
  isOfType: boolean;
  onClear: () => void;
  onNew: () => void;
}

function Nothing({ isNarrowed: narrowed, isOfType, onClear, onNew }: NothingProps) {
  return (
    <EmptyState
      icon={<LightningBoltIcon width={20} height={20} />}
      title={narrowed ? "Nothing matches" : isOfType ? "Nothing of this type yet" : "Nothing was learnt yet"}
      action={
        <Group mt="xs">
          {narrowed ? (
            <Button variant="default" onClick={onClear}>
              Clear filters
            </Button>
          ) : (
            <Button variant="default" onClick={onNew}>
              New knowledge
            </Button>
          )}
        </Group>
      }
    >
      {narrowed
        ? "No knowledge fits all of these filters."
        : "When two or more signals of distinct origin say the same, it is proposed here in their words, for a person to approve. What you know already can be written down."}
    </EmptyState>
  );
}
