import { Group, Paper, SegmentedControl, SimpleGrid, Stack, TextInput, Title } from "@mantine/core";
import { type FormEvent, type ReactNode, useRef } from "react";
import { messageAt } from "@/api/faults";
import type { EntityType } from "@/api/types";
import { ChangedUnderForm } from "@/ui/ChangedMeanwhile";
import { SaveBar } from "@/ui/SaveBar";
import { focusFirstInvalid } from "@/ui/focusFirstInvalid";
import { FormProblem } from "@/ui/states";
import { useUnsavedGuard } from "@/ui/useUnsavedGuard";
import { useEntityTypeEditor } from "../hooks/useEntityTypeEditor";
import { writeFields } from "../lib/typeDraft";
import { SchemaBreaks } from "./SchemaBreaks";
import { TypeFields } from "./TypeFields";
import { TypeJsonEditor } from "./TypeJsonEditor";

export type TypeTab = "fields" | "json";

interface EntityTypeEditorProps {
  type: EntityType;
  tab: TypeTab;
  /** Draws the choice of the criteria set whose score records of the type show. */
  featuredScore: (chosen: string, onChoose: (criteriaSetId: string) => void) => ReactNode;
  onTab: (tab: TypeTab) => void;
  onSaved: (saved: EntityType) => void;
}

export function EntityTypeEditor({ type, tab, featuredScore, onTab, onSaved }: EntityTypeEditorProps) {
  const editing = useEntityTypeEditor(type, onSaved);
  const form = useRef<HTMLFormElement>(null);
  const { draft, faults, edit, isJsonValid } = editing;
  useUnsavedGuard(editing.isDirty);

  const save = async (version?: number) => {
    if (!(await editing.save(version))) focusFirstInvalid(form.current);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };

  return (
    <form ref={form} onSubmit={submit} noValidate aria-label="Entity type">
      <Stack gap="md">
        {editing.breaks.length > 0 ? (
          <SchemaBreaks breaks={editing.breaks} />
        ) : (
          <FormProblem>{tab === "json" && editing.jsonFaults.length > 0 ? null : editing.head}</FormProblem>
        )}
        {editing.isBehind && (
          <ChangedUnderForm
            what="entity type"
            began={editing.began}
            now={type.version}
            both={editing.both}
            isSaving={editing.isSaving}
            onReload={editing.discard}
            onSaveOnTop={() => void save(type.version)}
          />
        )}
        <Paper withBorder radius="lg" p="md" component="section" aria-label="Basics">
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            <TextInput
              label="Name"
              description="In the singular, such as Company"
              required
              maxLength={200}
              value={draft.name}
              error={messageAt(faults, "/name")}
              onChange={(event) => edit({ do: "change", part: { name: event.currentTarget.value } })}
            />
            {featuredScore(draft.featured, (featured) => edit({ do: "change", part: { featured } }))}
          </SimpleGrid>
        </Paper>
        <Paper withBorder radius="lg" p="md" component="section" aria-label="Fields">
          <Group justify="space-between" mb="sm">
            <Title order={3}>Fields</Title>
            <SegmentedControl
              size="xs"
              aria-label="How to edit the fields"
              data={[
                { value: "fields", label: "Builder" },
                { value: "json", label: "JSON" },
              ]}
              value={tab}
              disabled={!isJsonValid}
              onChange={(value) => onTab(value as TypeTab)}
            />
          </Group>
          {tab === "json" ? (
            <TypeJsonEditor
              key={editing.drawn}
              json={writeFields(draft)}
              faults={editing.jsonFaults}
              onRead={(json) => edit({ do: "read", json })}
              onValidity={editing.setJsonValid}
            />
          ) : (
            <TypeFields draft={draft} faults={faults} onEdit={edit} />
          )}
        </Paper>
      </Stack>
      <SaveBar
        isDirty={editing.isDirty}
        isSaving={editing.isSaving}
        problems={isJsonValid ? faults.length + Number(editing.isBehind) : 1}
        onDiscard={editing.discard}
      />
    </form>
  );
}
