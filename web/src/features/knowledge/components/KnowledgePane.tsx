import { ActionIcon, Alert, Button, Group, Kbd, Menu, Text, Title } from "@mantine/core";
import { ArrowLeftIcon, Cross2Icon, DotsHorizontalIcon, DrawingPinFilledIcon, ExclamationTriangleIcon } from "@radix-ui/react-icons";
import type { ReactNode } from "react";
import type { Knowledge, KnowledgeDetail } from "@/api/types";
import { ChainLinks } from "@/features/entities/components/ChainLinks";
import { partyName } from "@/features/entities/lib/provenance";
import { confirmDanger } from "@/ui/confirm";
import { Loaded } from "@/ui/Loaded";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { RelativeTime } from "@/ui/RelativeTime";
import { useKnowledgeDetail } from "../hooks/useKnowledge";
import type { KnowledgeDecisions } from "../hooks/useKnowledgeDecisions";
import type { Scopes } from "../hooks/useScopes";
import { type KnowledgeAct, STEPS, STEP_LOOK, stepLabel } from "../lib/keys";
import { valueOf } from "../lib/value";
import { FLAG_LOOK, needsWording, supportOf } from "../lib/words";
import { FlagBadges, StateBadge, TypeBadge } from "./KnowledgeBadges";
import { KnowledgeHistory } from "./KnowledgeHistory";
import { Neighbours } from "./Neighbours";
import { SessionsWith } from "./SessionsWith";
import { SupportList } from "./SupportList";
import { ValuePart } from "./ValuePart";
import classes from "./knowledge.module.css";

interface KnowledgePaneProps {
  id: string;
  scopes: Scopes;
  decisions: KnowledgeDecisions;
  onAsk: (act: KnowledgeAct, row: Knowledge) => void;
  /** Whether somebody may begin an experiment. */
  mayMeasure: boolean;
  onGo: (id: string) => void;
  onBack: () => void;
}

/** One row with all that can be shown for it: why it is there, where it was, what happened to it, what is like it. */
export function KnowledgePane({ id, onBack, ...rest }: KnowledgePaneProps) {
  const query = useKnowledgeDetail(id);
  return (
    <>
      <Button className={classes.back} size="compact-sm" variant="subtle" color="gray" leftSection={<ArrowLeftIcon />} onClick={onBack}>
        Knowledge
      </Button>
      <ActionIcon className={classes.close} variant="subtle" color="gray" aria-label="Close" title="Close (Esc)" onClick={onBack}>
        <Cross2Icon />
      </ActionIcon>
      <div className={classes.detail}>
        <Loaded query={query} what="this knowledge">
          {(row) => <Shown row={row} onBack={onBack} {...rest} />}
        </Loaded>
      </div>
    </>
  );
}

interface ShownProps extends Omit<KnowledgePaneProps, "id"> {
  row: KnowledgeDetail;
}

function Shown({ row, scopes, decisions, onAsk, mayMeasure, onGo, onBack }: ShownProps) {
  const other = row.flags.filter((flag) => flag !== "helps" && flag !== "harms"); // those stand with what they rest on
  return (
    <>
      <Group gap={6} pr={36}>
        <TypeBadge type={row.type} />
        <StateBadge state={row.state} />
        <FlagBadges flags={row.flags} />
      </Group>
      <Title order={3} size="h2" mt={8} className={classes.words} dir="auto">
        {row.pinned && <DrawingPinFilledIcon className={classes.pin} aria-label="Pinned" />}
        {row.content}
      </Title>
      {row.context && (
        <Text size="sm" c="dimmed" mt={4} className={classes.words} dir="auto">
          {row.context}
        </Text>
      )}
      <Acts row={row} decisions={decisions} onAsk={onAsk} onBack={onBack} />
      {needsWording(row) && row.state === "proposed" && (
        <Alert color="blue" py={6} mt="sm" role="note">
          These words were copied out of feedback. A correction is put into words before it is approved.
        </Alert>
      )}
      {other.length > 0 && (
        <Alert color="orange" py={6} mt="sm" role="note" icon={<ExclamationTriangleIcon />}>
          {other.map((flag) => `${FLAG_LOOK[flag].means}.`).join(" ")}
        </Alert>
      )}
      <ChainLinks of={`knowledge:${row.id}`} name="this" />
      <dl className={classes.facts}>
        <Fact name="Holds">{capital(scopes.inWords(row))}</Fact>
        <Fact name="Support">
          {supportOf(row)}
          {row.standing === "person" && row.origins > 0 && ", and a person stands for it"}
        </Fact>
        <Fact name="Value">
          <span data-old={row.value?.stale || undefined}>{valueOf(row)}</span>
        </Fact>
        <Fact name="Tokens">{row.tokens.toLocaleString("en")}</Fact>
        <Fact name="Confirmed">
          <RelativeTime value={row.last_confirmed_at} />
          {row.confirmations > 0 && `, ${row.confirmations.toLocaleString("en")} times`}
        </Fact>
        <Fact name="Written by">
          {methodOf(row)}, <RelativeTime value={row.created_at} />
        </Fact>
      </dl>
      <ValuePart row={row} mayMeasure={mayMeasure} onAsk={onAsk} />
      <SupportList row={row} decisions={decisions} />
      <Neighbours row={row} decisions={decisions} onGo={onGo} />
      <SessionsWith id={row.id} />
      <KnowledgeHistory history={row.history} isBusy={decisions.isBusy} onUndo={(entryId) => void decisions.undoOf(row, entryId)} />
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function methodOf({ metadata, created_by }: Pick<Knowledge, "metadata" | "created_by">): string {
  return metadata.method === "extractive" ? "Copied out of feedback, without a model" : partyName(created_by);
}

interface ActsProps {
  row: KnowledgeDetail;
  decisions: KnowledgeDecisions;
  onAsk: (act: KnowledgeAct, row: Knowledge) => void;
  onBack: () => void;
}

/** What the keys do, for whoever has none at hand. */
function Acts({ row, decisions, onAsk, onBack }: ActsProps) {
  const remove = () =>
    confirmDanger({
      title: "Delete this knowledge?",
      children: "It goes with its history, and this cannot be undone. Prompts that held it keep their words. To take it out of prompts and keep what is known of it, retire it.",
      action: "Delete",
      onConfirm: () =>
        decisions.actions.remove.mutate(row.id, {
          onSuccess: () => {
            notifyDone("Deleted.");
            onBack();
          },
          onError: (error) => notifyProblem("This was not deleted", error),
        }),
    });
  return (
    <div className={classes.acts} role="group" aria-label="This knowledge">
      {STEPS[row.state].map((step) => (
        <Button
          key={step}
          size="compact-xs"
          variant={step === "approve" && row.state !== "active" ? "filled" : "default"}
          rightSection={<Letter>{STEP_LOOK[step].letter}</Letter>}
          onClick={() => onAsk(step, row)}
        >
          {stepLabel(step, row.state)}
        </Button>
      ))}
      <Button size="compact-xs" variant="default" rightSection={<Letter>e</Letter>} onClick={() => onAsk("edit", row)}>
        Edit
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon size="sm" variant="default" aria-label="More">
            <DotsHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item rightSection={<Letter>t</Letter>} onClick={() => onAsk("retype", row)}>
            Change type
          </Menu.Item>
          <Menu.Item color="red" onClick={remove}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

function Letter({ children }: { children: string }) {
  return (
    <Kbd size="xs" visibleFrom="md" aria-hidden>
      {children}
    </Kbd>
  );
}
