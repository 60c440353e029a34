import { Badge, Button, Group, Paper, Stack, TextInput, Title } from "@mantine/core";
import { PlusIcon } from "@radix-ui/react-icons";
import { type FormEvent, useRef } from "react";
import { hasFaultAt, messageAt } from "@/api/faults";
import type { View } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { contentFields, relationFields } from "@/features/criteria/lib/fields";
import { useEntityTypes } from "@/features/entity_types/hooks/useEntityTypes";
import { ChangedUnderForm } from "@/ui/ChangedMeanwhile";
import { OrderedCards } from "@/ui/OrderedCards";
import { SaveBar } from "@/ui/SaveBar";
import { focusFirstInvalid } from "@/ui/focusFirstInvalid";
import { FormProblem } from "@/ui/states";
import { useOpenCards } from "@/ui/useOpenCards";
import { useUnsavedGuard } from "@/ui/useUnsavedGuard";
import { useViewEditor } from "../hooks/useViewEditor";
import { BLOCK_LABEL, BLOCK_TYPES, blockOf } from "../lib/blocks";
import { BlockEditor } from "./BlockEditor";
import classes from "./ViewEditor.module.css";
import { ViewPreview } from "./ViewPreview";

interface ViewEditorProps {
  view: View;
  /** The record that the preview shows. */
  recordId: string | undefined;
  onRecord: (id: string | undefined) => void;
  onSaved: (saved: View) => void;
}

/** The blocks of a view, and beside them a record seen through it. */
export function ViewEditor({ view, recordId, onRecord, onSaved }: ViewEditorProps) {
  const editing = useViewEditor(view, onSaved);
  const { draft, faults, edit } = editing;
  const types = useEveryPage(useEntityTypes()).rows ?? [];
  const chosen = view.entity_type ? [view.entity_type] : [];
  const wrong = draft.blocks.filter((_block, place) => hasFaultAt(faults, `/blocks/${place}`)).map(({ id }) => id);
  const cards = useOpenCards(draft.blocks, wrong);
  const form = useRef<HTMLFormElement>(null);
  useUnsavedGuard(editing.isDirty);

  const save = async (version?: number) => {
    if (!(await editing.save(version))) focusFirstInvalid(form.current);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };

  return (
    <div className={classes.columns}>
      <form ref={form} onSubmit={submit} noValidate aria-label="View">
        <Stack gap="md">
          <FormProblem>{editing.head}</FormProblem>
          {editing.isBehind && (
            <ChangedUnderForm
              what="view"
              began={editing.began}
              now={view.version}
              both={editing.both}
              isSaving={editing.isSaving}
              onReload={editing.discard}
              onSaveOnTop={() => void save(view.version)}
            />
          )}
          <TextInput
            label="Name"
            required
            maxLength={200}
            value={draft.name}
            error={messageAt(faults, "/name")}
            onChange={(event) => edit({ do: "rename", name: event.currentTarget.value })}
          />
          <Paper withBorder radius="lg" p="md" component="section" aria-label="Blocks">
            <Title order={3} mb="sm">
              Blocks
            </Title>
            <OrderedCards
              label="Blocks"
              items={draft.blocks}
              name={({ title, type }) => title || BLOCK_LABEL[type]}
              summary={({ title, type }) => title && <Badge color="gray">{BLOCK_LABEL[type]}</Badge>}
              hasProblem={(_block, place) => hasFaultAt(faults, `/blocks/${place}`)}
              opened={cards.opened}
              onToggle={cards.toggle}
              onMove={(id, delta) => edit({ do: "move", id, delta })}
              onRemove={(id) => edit({ do: "remove", id })}
            >
              {(block, place) => (
                <BlockEditor
                  draft={block}
                  at={`/blocks/${place}`}
                  faults={faults}
                  fields={contentFields(types, chosen)}
                  relations={relationFields(types, chosen)}
                  typeSlug={view.entity_type ?? undefined}
                  onChange={(part) => edit({ do: "changeBlock", id: block.id, part })}
                />
              )}
            </OrderedCards>
            <Group gap={6} mt="sm" role="group" aria-label="New block">
              {BLOCK_TYPES.map((type) => (
                <Button
                  key={type}
                  size="compact-sm"
                  variant="default"
                  leftSection={<PlusIcon />}
                  onClick={() => edit({ do: "add", type })}
                >
                  {BLOCK_LABEL[type]}
                </Button>
              ))}
            </Group>
          </Paper>
        </Stack>
        <SaveBar
          isDirty={editing.isDirty}
          isSaving={editing.isSaving}
          problems={faults.length + Number(editing.isBehind)}
          saveLabel="Save"
          onDiscard={editing.discard}
        />
      </form>
      <ViewPreview
        typeSlug={view.entity_type}
        blocks={draft.blocks.map(blockOf)}
        recordId={recordId}
        onRecord={onRecord}
      />
    </div>
  );
}
