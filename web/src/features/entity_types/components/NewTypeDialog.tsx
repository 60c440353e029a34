import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import type { EntityType } from "@/api/types";
import { slugify } from "@/features/tenants/lib/slug";
import { Modal } from "@/ui/Modal";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useEntityTypeActions } from "../hooks/useEntityTypes";
import { EMPTY_TYPE } from "../lib/typeDraft";

const SLUG = /^[a-z0-9][a-z0-9_-]{0,62}$/;

interface NewTypeDialogProps {
  opened: boolean;
  onClose: () => void;
  onCreated: (type: EntityType) => void;
}

/** A name to begin with; the fields come on its page. */
export function NewTypeDialog({ opened, onClose, onCreated }: NewTypeDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New entity type">
      <NewTypeForm onCancel={onClose} onCreated={onCreated} />
    </Modal>
  );
}

function NewTypeForm({ onCancel, onCreated }: { onCancel: () => void; onCreated: (type: EntityType) => void }) {
  const { create } = useEntityTypeActions();
  const [slugIsOwn, setSlugIsOwn] = useState(false);
  const form = useForm({
    initialValues: { name: "", slug: "" },
    validate: {
      name: (value) => (value.trim() ? null : "Give the type a name"),
      slug: (value) => (SLUG.test(value.trim()) ? null : "A slug has 1 to 63 lower-case letters, digits, _ or -"),
    },
  });
  const problem = useProblemForm(form);
  const submit = form.onSubmit(async ({ name, slug }) => {
    problem.clear();
    try {
      onCreated(await create.mutateAsync({ name: name.trim(), slug: slug.trim(), ...EMPTY_TYPE }));
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
          description="In the singular, such as Company"
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
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Save type
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
