import { Paper, Stack, Title } from "@mantine/core";
import { type FormEvent, type ReactNode, useRef } from "react";
import type { CriteriaSet } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { useEntityTypes } from "@/features/entity_types/hooks/useEntityTypes";
import { ChangedUnderForm } from "@/ui/ChangedMeanwhile";
import { SaveBar } from "@/ui/SaveBar";
import { FormProblem } from "@/ui/states";
import { focusFirstInvalid } from "@/ui/focusFirstInvalid";
import { useUnsavedGuard } from "@/ui/useUnsavedGuard";
import { useCriteriaSetEditor } from "../hooks/useCriteriaSetEditor";
import { CriteriaSetBasics } from "./CriteriaSetBasics";
import { CriteriaSetDimensions } from "./CriteriaSetDimensions";
import { CriteriaSetDisplay } from "./CriteriaSetDisplay";
import classes from "./CriteriaSetEditor.module.css";
import { CriteriaSetPreview } from "./CriteriaSetPreview";
import { CriteriaSetReadOnly } from "./CriteriaSetReadOnly";

interface CriteriaSetEditorProps {
  /** Null for a new one. */
  set: CriteriaSet | null;
  /** Under which name a new one is kept in this browser until it is saved. */
  keepAs?: string;
  onSaved: (saved: CriteriaSet) => void;
}

/** Everything about a criteria set, with the form that it makes beside it. An archived one is only shown. */
export function CriteriaSetEditor({ set, keepAs, onSaved }: CriteriaSetEditorProps) {
  const editing = useCriteriaSetEditor(set, onSaved, keepAs);
  const { draft, faults, edit } = editing;
  const types = useEveryPage(useEntityTypes()).rows ?? [];
  const form = useRef<HTMLFormElement>(null);
  useUnsavedGuard(editing.isDirty && !editing.isKept, () => editing.isSaved.current);

  const save = async (version?: number) => {
    if (!(await editing.save(version))) focusFirstInvalid(form.current);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };

  if (set?.archived_at && !editing.isDirty) return <CriteriaSetReadOnly set={set} />;
  return (
    <form ref={form} onSubmit={submit} noValidate aria-label="Criteria set">
      <div className={classes.columns}>
        <Stack gap="md">
          <FormProblem>{editing.head}</FormProblem>
          {set && editing.isBehind && (
            <ChangedUnderForm
              what="criteria set"
              began={editing.began}
              now={set.version}
              both={editing.both}
              note={set.archived_at && "It was archived meanwhile: nobody can answer it until it is brought back."}
              isSaving={editing.isSaving}
              onReload={editing.discard}
              onSaveOnTop={() => void save(set.version)}
            />
          )}
          <Section title="Basics">
            <CriteriaSetBasics
              draft={draft}
              isNew={set === null}
              faults={faults}
              types={types}
              onChange={(part) => edit({ do: "change", part })}
            />
          </Section>
          <Section title="Dimensions">
            <CriteriaSetDimensions
              draft={draft}
              faults={faults}
              types={types}
              onEdit={edit}
            />
          </Section>
          <Section title="Display">
            <CriteriaSetDisplay draft={draft} faults={faults} onChange={(part) => edit({ do: "change", part })} />
          </Section>
        </Stack>
        <div className={classes.preview}>
          <CriteriaSetPreview draft={draft} />
        </div>
      </div>
      <SaveBar
        isDirty={editing.isDirty}
        isSaving={editing.isSaving}
        problems={faults.length + Number(editing.isBehind)}
        saveLabel={set ? "Save changes" : "Save criteria set"}
        isNew={!set}
        isKept={editing.isKept}
        onDiscard={editing.discard}
      />
    </form>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder radius="lg" p="md" component="section" aria-label={title}>
      <Title order={3} mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
