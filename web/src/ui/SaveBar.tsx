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
  onDiscard: () => void;
}

/** The end of a long form, in sight wherever one is in it. */
export function SaveBar({ isDirty, isSaving, problems, saveLabel = "Save changes", isNew, onDiscard }: SaveBarProps) {
  const state = isDirty || isNew ? "Not saved yet" : "Everything is saved";
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
