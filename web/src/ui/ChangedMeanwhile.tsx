import { Alert, Button, Group } from "@mantine/core";
import { ExclamationTriangleIcon } from "@radix-ui/react-icons";
import type { ReactNode } from "react";

const listed = new Intl.ListFormat("en", { type: "conjunction" });

interface ChangedMeanwhileProps {
  /** As a person calls it: "record", "view". */
  what: string;
  began: number;
  now: number;
  children: ReactNode;
}

/** Somebody else was faster. What was typed here is still here. */
export function ChangedMeanwhile({ what, began, now, children }: ChangedMeanwhileProps) {
  return (
    <Alert color="orange" role="alert" icon={<ExclamationTriangleIcon />} title={`The ${what} changed while you edited it`}>
      You began at version {began}; it is at version {now} now. Nothing of yours was saved yet. {children}
    </Alert>
  );
}

interface ChangedUnderFormProps extends Omit<ChangedMeanwhileProps, "children"> {
  /** The parts that both changed, as the page calls them. */
  both: readonly string[];
  /** What else became of it. */
  note?: string | null;
  isSaving: boolean;
  onReload: () => void;
  onSaveOnTop: () => void;
}

/** The same above a form that stays open, with the choice. */
export function ChangedUnderForm({ both, note, isSaving, onReload, onSaveOnTop, ...versions }: ChangedUnderFormProps) {
  return (
    <ChangedMeanwhile {...versions}>
      {note && `${note} `}
      What you typed is below.{" "}
      {both.length > 0
        ? `Both of you changed ${listed.format(both)}: saving yours on top replaces the whole of it, with all that they did there. The rest stays as they have it.`
        : "You changed other parts than they did: saved on top, both changes stand."}
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={onReload}>
          Discard mine and reload
        </Button>
        <Button size="xs" loading={isSaving} onClick={onSaveOnTop}>
          Save mine on top
        </Button>
      </Group>
    </ChangedMeanwhile>
  );
}
