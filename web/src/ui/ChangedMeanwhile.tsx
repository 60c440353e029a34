import { Alert, Button, Group } from "@mantine/core";
import { ExclamationTriangleIcon } from "@radix-ui/react-icons";
import type { ReactNode } from "react";

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
  /** What else became of it. */
  note?: string | null;
  isSaving: boolean;
  onReload: () => void;
  onSaveOnTop: () => void;
}

/** The same above a form that stays open, with the choice. */
export function ChangedUnderForm({ note, isSaving, onReload, onSaveOnTop, ...versions }: ChangedUnderFormProps) {
  return (
    <ChangedMeanwhile {...versions}>
      {note && `${note} `}
      What you typed is below. Saving it on top replaces the parts that you changed, and leaves the rest as they have it.
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
