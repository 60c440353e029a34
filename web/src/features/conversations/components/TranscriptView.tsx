import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { InfoCircledIcon } from "@radix-ui/react-icons";
import { useCallback, useMemo } from "react";
import type { Reaction, TranscriptTurn } from "@/api/types";
import { useCan, useTenant, useWorkspace } from "@/features/tenants/hooks/useWorkspace";
import { roleLabel } from "@/features/tenants/lib/roles";
import { useListKeys } from "@/ui/useListKeys";
import { AnswersProvider } from "../hooks/useAnswers";
import { useLinkedTurn } from "../hooks/useLinkedTurn";
import { useReact } from "../hooks/useReact";
import { answersOf } from "../lib/excerpts";
import { nameOf, readFrom } from "../lib/reactions";
import { TranscriptKeysHelp, TranscriptKeysHint } from "./TranscriptKeysHelp";
import { Turn, type TurnExtra } from "./Turn";
import classes from "./conversations.module.css";

interface TranscriptViewProps {
  project: string;
  conversation: string;
  turns: TranscriptTurn[];
  /** The turn that a link leads to. */
  linked: string | undefined;
  isLinkedGone: boolean;
  earlier: More;
  later: More;
  /** What other features have to say of a turn, and to do with it. */
  extra?: TurnExtra | undefined;
}

interface More {
  has: boolean;
  isLoading: boolean;
  load: () => void;
}

/** The turns in order, as far as they are loaded. */
export function TranscriptView({ project, conversation, turns, linked, isLinkedGone, earlier, later, extra }: TranscriptViewProps) {
  const { userId } = useTenant();
  const whyNot = useWhyNot();
  const { mutate } = useReact(project, conversation);
  const keys = useListKeys<HTMLDivElement, never>({
    stops: turns.map(({ turn_id }) => ({ id: turn_id, keys: [] })),
    acts: {},
    leavesArrows: true,
    mayWorkAnywhere: true,
    onAct: () => {},
    onMove: ({ id }) => {
      showFromItsTop(keys.list.current, id);
      if (later.has && !later.isLoading && id === turns.at(-1)?.turn_id) later.load();
    },
  });
  useLinkedTurn(keys.list, linked, turns);
  const answers = useMemo(() => ({ conversation, byTurn: answersOf(turns) }), [conversation, turns]);
  const onReact = useCallback(
    (turnId: string, reaction: Reaction | null, text?: string | null) =>
      mutate({ turnId, reaction, ...(text === undefined ? {} : { text }) }),
    [mutate],
  );
  const read = readFrom(turns, conversation);
  return (
    <AnswersProvider value={answers}>
      <Stack gap="md" className={classes.transcript}>
        {turns.length > 1 && <TranscriptKeysHint onClick={keys.openHelp} />}
        {whyNot && (
          <Text size="sm" c="dimmed" role="note">
            {whyNot}
          </Text>
        )}
        {isLinkedGone && (
          <Alert color="gray" role="note" icon={<InfoCircledIcon />}>
            The turn that the link leads to is not there.
          </Alert>
        )}
        <MoreButton more={earlier}>Load earlier turns</MoreButton>
        <div className={classes.turns} ref={keys.list}>
          {turns.map((turn) => (
            <Turn
              key={turn.turn_id}
              project={project}
              conversation={conversation}
              turn={turn}
              userId={userId}
              isLinked={turn.turn_id === linked}
              read={read.get(turn.turn_id) ?? []}
              whyNot={whyNot}
              extra={extra}
              nameOf={nameOf}
              onReact={onReact}
              onFocus={() => keys.onFocus({ id: turn.turn_id, key: null })}
            />
          ))}
        </div>
        <MoreButton more={later}>Load later turns</MoreButton>
        <TranscriptKeysHelp {...keys.help} />
      </Stack>
    </AnswersProvider>
  );
}

/** A turn may be longer than the screen: it is read from where it begins. */
function showFromItsTop(list: HTMLElement | null, turnId: string): void {
  const turns = [...(list?.querySelectorAll<HTMLElement>("[data-turn]") ?? [])];
  turns.find(({ dataset }) => dataset.turn === turnId)?.scrollIntoView({ block: "start" });
}

function MoreButton({ more, children }: { more: More; children: string }) {
  if (!more.has) return null;
  return (
    <Group justify="center">
      <Button variant="default" size="xs" loading={more.isLoading} onClick={more.load}>
        {children}
      </Button>
    </Group>
  );
}

/** Null for whoever may react, and until that is known. */
function useWhyNot(): string | null {
  const { data: workspace } = useWorkspace();
  const mayReact = useCan()("reactions.own.create");
  if (!workspace || mayReact) return null;
  return `Your role, ${roleLabel(workspace.role).toLowerCase()}, may see reactions but not give any. Contributors, reviewers and admins can.`;
}
