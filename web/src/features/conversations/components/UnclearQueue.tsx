import { Button, Group, Kbd, Stack, Text, VisuallyHidden } from "@mantine/core";
import { CheckCircledIcon } from "@radix-ui/react-icons";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PagedRows } from "@/ui/PagedRows";
import { EmptyState } from "@/ui/states";
import { useListKeys } from "@/ui/useListKeys";
import { useSettling } from "../hooks/useSettling";
import { useUnsettled } from "../hooks/useUnsettled";
import { CHOICES } from "../lib/queueKeys";
import type { UnclearSearch } from "../lib/search";
import { ProjectSelect } from "./ProjectSelect";
import { QueueKeysHelp, QueueKeysHint } from "./QueueKeysHelp";
import { UnclearReaction } from "./UnclearReaction";
import classes from "./conversations.module.css";

interface UnclearQueueProps {
  search: UnclearSearch;
  onChange: (change: Partial<UnclearSearch>) => void;
}

/** Messages that a machine took for a reaction, but that could mean several answers: a person says which. */
export function UnclearQueue({ search, onChange }: UnclearQueueProps) {
  const list = useUnsettled(search.project);
  const maySettle = useCan()("reactions.team.settle");
  const { decide, undoLast, said, restored, canUndo } = useSettling();
  const ids = (list.rows ?? []).map(({ id }) => id);
  const keys = useListKeys<HTMLOListElement, string>({
    stops: ids.map((id) => ({ id, keys: [] })),
    acts: CHOICES,
    always: maySettle ? { u: undoLast } : {},
    start: restored,
    mayWorkAnywhere: true,
    onAct: (choice, _at, message) => focusChoice(message?.querySelector(`[data-choice="${choice}"]`)),
  });
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <div className={classes.queueFilter}>
          <ProjectSelect value={search.project} onChange={(project) => onChange({ project })} />
        </div>
        {ids.length > 0 && maySettle && <QueueKeysHint onClick={keys.openHelp} />}
      </Group>
      {!maySettle && ids.length > 0 && (
        <Text size="sm" c="dimmed" role="note">
          Reviewers and admins say which answer was meant. Your role may look on.
        </Text>
      )}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <PagedRows list={list} what="unclear reactions" empty={<NothingUnclear onUndo={canUndo ? undoLast : null} />}>
        {(rows) => (
          <ol ref={keys.list} className={classes.queue}>
            {rows.map((row) => (
              <UnclearReaction
                key={row.id}
                row={row}
                isCurrent={row.id === keys.current?.id}
                maySettle={maySettle}
                onFocus={() => keys.onFocus({ id: row.id, key: null })}
                onSettle={(turn) => void decide(row, turn)}
              />
            ))}
          </ol>
        )}
      </PagedRows>
      <QueueKeysHelp {...keys.help} />
    </Stack>
  );
}

/** A digit that was pressed by mistake settles nothing: it only goes there. */
function focusChoice(button: HTMLElement | null | undefined): void {
  button?.focus();
  button?.scrollIntoView({ block: "nearest" });
}

function NothingUnclear({ onUndo }: { onUndo: (() => void) | null }) {
  return (
    <EmptyState
      icon={<CheckCircledIcon width={20} height={20} />}
      title="Nothing is unclear"
      action={
        onUndo && (
          <Button variant="default" mt="xs" rightSection={<Kbd size="xs">u</Kbd>} onClick={onUndo}>
            Undo the last one
          </Button>
        )
      }
    >
      When a message reacts to an answer and it cannot be told to which, it waits here for a person to say.
    </EmptyState>
  );
}
