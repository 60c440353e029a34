import { Alert, Button, Group, Paper, SegmentedControl, SimpleGrid, Stack, TextInput, Title } from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import type { EntityType } from "@/api/types";
import { messageAt } from "@/features/criteria/lib/faults";
import { SaveBar } from "@/ui/SaveBar";
import { focusFirstInvalid } from "@/ui/focusFirstInvalid";
import { FormProblem } from "@/ui/states";
import { useUnsavedGuard } from "@/ui/useUnsavedGuard";
import { useEntityTypeEditor } from "../hooks/useEntityTypeEditor";
import { writeFields } from "../lib/typeDraft";
import { FeaturedScoreSelect } from "./FeaturedScoreSelect";
import { SchemaBreaks } from "./SchemaBreaks";
import { TypeFields } from "./TypeFields";
import { TypeJsonEditor } from "./TypeJsonEditor";

export type TypeTab = "fields" | "json";

interface EntityTypeEditorProps {
  type: EntityType;
  tab: TypeTab;
  onTab: (tab: TypeTab) => void;
  onSaved: (saved: EntityType) => void;
}

export function EntityTypeEditor({ type, tab, onTab, onSaved }: EntityTypeEditorProps) {
  const editing = useEntityTypeEditor(type, onSaved);
  const [isJsonValid, setJsonValid] = useState(true);
  const [drawn, setDrawn] = useState(0); // counts what replaces the text of the JSON tab
  const form = useRef<HTMLFormElement>(null);
  const { draft, faults, edit } = editing;
  useUnsavedGuard(editing.isDirty || !isJsonValid);

  const discard = () => {
    editing.discard();
    setJsonValid(true);
    setDrawn((before) => before + 1);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isJsonValid) return focusFirstInvalid(form.current);
    if (!(await editing.save())) focusFirstInvalid(form.current);
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
          <Alert color="orange" title="Somebody else saved this type">
            <Group justify="space-between">
              <span>Saving now would replace what they wrote.</span>
              <Button size="xs" variant="default" onClick={discard}>
                Show theirs, drop mine
              </Button>
            </Group>
          </Alert>
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
            <FeaturedScoreSelect
              typeSlug={type.slug}
              value={draft.featured}
              onChange={(featured) => edit({ do: "change", part: { featured } })}
            />
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
              key={drawn}
              json={writeFields(draft)}
              faults={editing.jsonFaults}
              onRead={(json) => edit({ do: "read", json })}
              onValidity={setJsonValid}
            />
          ) : (
            <TypeFields draft={draft} faults={faults} onEdit={edit} />
          )}
        </Paper>
      </Stack>
      <SaveBar
        isDirty={editing.isDirty || !isJsonValid}
        isSaving={editing.isSaving}
        problems={isJsonValid ? faults.length : 1}
        onDiscard={discard}
      />
    </form>
  );
}
