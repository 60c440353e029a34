import { Button, Group, Modal, NativeSelect, Stack, Text, Tooltip } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { Pencil2Icon, PlusIcon } from "@radix-ui/react-icons";
import { useState } from "react";
import type { CriteriaSet } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { notifyDone } from "@/ui/notify";
import { useDraftPlace } from "../hooks/useMatrixDraft";
import { isRelationScoped } from "../lib/edgeMatrix";
import { readDraft } from "../lib/matrixDraft";
import { ResponseForm } from "./ResponseForm";

interface NewResponseProps {
  entityId: string;
  /** Those that a response to this record can answer. */
  sets: readonly CriteriaSet[];
}

export function NewResponse({ entityId, sets }: NewResponseProps) {
  const [opened, dialog] = useDisclosure(false);
  const [slug, setSlug] = useState<string | null>(null);
  const canCreate = useCan()("responses.team.create");
  const narrow = useMediaQuery("(max-width: 48em)") ?? false;
  const placeOf = useDraftPlace(entityId);
  if (sets.length === 0) return null;
  if (!canCreate) {
    return (
      <Tooltip label="Contributors, reviewers and admins can submit responses." withinPortal={false}>
        <Button variant="default" leftSection={<PlusIcon />} data-disabled aria-disabled>
          New response
        </Button>
      </Tooltip>
    );
  }
  const chosen = sets.find((set) => set.slug === slug) ?? sets[0];
  const unfinished = sets.filter((set) => isRelationScoped(set) && readDraft(placeOf(set)) !== null);
  const isMatrix = chosen !== undefined && isRelationScoped(chosen);
  return (
    <>
      <Group gap="sm">
        {unfinished.map((set) => (
          <Button
            key={set.id}
            variant="default"
            leftSection={<Pencil2Icon />}
            onClick={() => {
              setSlug(set.slug);
              dialog.open();
            }}
          >
            {`Continue ${set.name}`}
          </Button>
        ))}
        <Button leftSection={<PlusIcon />} onClick={dialog.open}>
          New response
        </Button>
      </Group>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="New response"
        size={isMatrix ? "70rem" : "lg"}
        fullScreen={isMatrix && narrow}
        closeOnClickOutside={false}
      >
        {chosen && (
          <Stack>
            {sets.length > 1 && (
              <NativeSelect
                label="Criteria set"
                value={chosen.slug}
                data={sets.map((set) => ({ value: set.slug, label: set.name }))}
                onChange={(event) => setSlug(event.currentTarget.value)}
              />
            )}
            {chosen.description && (
              <Text size="sm" c="dimmed">
                {chosen.description}
              </Text>
            )}
            <ResponseForm
              key={chosen.id}
              entityId={entityId}
              criteriaSet={chosen}
              onCancel={dialog.close}
              onSubmitted={() => {
                dialog.close();
                notifyDone("The response was submitted.");
              }}
            />
          </Stack>
        )}
      </Modal>
    </>
  );
}
