import { Button } from "@mantine/core";
import classes from "./SaveBar.module.css";

interface SaveBarProps {
  isDirty: boolean;
  isSaving: boolean;
  /** How many things keep it from being saved. */
  problems: number;
  saveLabel?: string;
  /** What is edited is not there yet, so nothing of it is saved. */
  isNew?: boolean;
  /** What was changed waits in this browser, also when one leaves. */
  isKept?: boolean;
  onDiscard: () => void;
}

/** The end of a long form, in sight wherever one is in it. */
export function SaveBar({ isDirty, isSaving, problems, saveLabel = "Save changes", isNew, isKept, onDiscard }: SaveBarProps) {
  const unsaved = isKept ? "Draft, kept in this browser" : "Not saved yet";
  const state = isDirty || isNew ? unsaved : "Everything is saved";
  const wrong = problems === 1 ? "1 thing to put right above" : `${problems} things to put right above`;
  return (
    <div className={classes.bar} data-dirty={isDirty || undefined}>
      <span className={classes.state} data-problem={problems > 0 || undefined} role="status">
        {problems > 0 ? wrong : state}
      </span>
      <Button variant="default" disabled={!isDirty || isSaving} onClick={onDiscard}>
        Discard
      </Button>
      <Button type="submit" loading={isSaving} disabled={!isDirty}>
        {saveLabel}
      </Button>
    </div>
  );
}
