import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import type { View, ViewBlock } from "@/api/types";
import { TypeSelect } from "@/features/entity_types/components/TypeSelect";
import { slugify } from "@/features/tenants/lib/slug";
import { Modal } from "@/ui/Modal";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useViewActions } from "../hooks/useViews";

const SLUG = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const FIRST_BLOCKS: ViewBlock[] = [{ type: "fields" }, { type: "response-form" }, { type: "responses" }];

interface NewViewDialogProps {
  opened: boolean;
  onClose: () => void;
  onCreated: (view: View) => void;
}

/** A name and a type to begin with; the blocks come on its page. */
export function NewViewDialog({ opened, onClose, onCreated }: NewViewDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New view">
      <NewViewForm onCancel={onClose} onCreated={onCreated} />
    </Modal>
  );
}

function NewViewForm({ onCancel, onCreated }: { onCancel: () => void; onCreated: (view: View) => void }) {
  const { create } = useViewActions();
  const [slugIsOwn, setSlugIsOwn] = useState(false);
  const form = useForm({
    initialValues: { name: "", slug: "", entity_type: "" },
    validate: {
      name: (value) => (value.trim() ? null : "Give the view a name"),
      slug: (value) => (SLUG.test(value.trim()) ? null : "A slug has 1 to 63 lower-case letters, digits, _ or -"),
    },
  });
  const problem = useProblemForm(form);
  const submit = form.onSubmit(async ({ name, slug, entity_type }) => {
    problem.clear();
    try {
      onCreated(
        await create.mutateAsync({
          name: name.trim(),
          slug: slug.trim(),
          blocks: FIRST_BLOCKS,
          ...(entity_type ? { entity_type } : {}),
        }),
      );
    } catch (error) {
      problem.place(error);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <TextInput
          label="Name"
          data-autofocus
          maxLength={200}
          {...form.getInputProps("name")}
          onChange={(event) => {
            const name = event.currentTarget.value;
            form.setFieldValue("name", name);
            if (!slugIsOwn) form.setFieldValue("slug", slugify(name));
          }}
        />
        <TextInput
          label="Slug"
          description="How programs refer to it; cannot be changed later"
          {...form.getInputProps("slug")}
          onChange={(event) => {
            setSlugIsOwn(true);
            form.setFieldValue("slug", event.currentTarget.value);
          }}
        />
        <TypeSelect
          label="Entity type"
          description="Cannot be changed later"
          none="All types"
          value={form.values.entity_type}
          error={form.errors.entity_type}
          onChange={(slug) => form.setFieldValue("entity_type", slug)}
        />
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Save view
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
