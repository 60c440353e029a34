import { Button, Group, Stack, Tooltip } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { PlusIcon } from "@radix-ui/react-icons";
import { useState } from "react";
import type { CriteriaSet } from "@/api/types";
import { CriteriaSetSelect } from "@/features/criteria/components/CriteriaSetSelect";
import { useDraftName } from "@/features/responses/hooks/useDraftName";
import { parseKept } from "@/features/responses/lib/keptDraft";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { DraftBadge } from "@/ui/DraftBadge";
import { Modal } from "@/ui/Modal";
import { readDraft } from "@/ui/drafts";
import { notifyDone } from "@/ui/notify";
import { useIsResponseBegun } from "../hooks/useIsResponseBegun";
import { isRelationScoped } from "../lib/edgeMatrix";
import { matrixDraftOf, readMatrixDraft } from "../lib/matrixDraft";
import { ResponseForm } from "./ResponseForm";

interface NewResponseProps {
  entityId: string;
  typeSlug: string;
  /** Those that responses to this record are listed by. */
  sets: readonly CriteriaSet[];
  /** There is no choice among others. */
  isFixed: boolean;
}

function canBeAnswered({ archived_at }: CriteriaSet): boolean {
  return archived_at === null;
}

export function NewResponse({ entityId, typeSlug, sets, isFixed }: NewResponseProps) {
  const [opened, dialog] = useDisclosure(false);
  const [slug, setSlug] = useState<string | null>(null);
  const draftName = useDraftName();
  const canCreate = useCan()("responses.team.create");
  const narrow = useMediaQuery("(max-width: 48em)") ?? false;
  const isOneBegun = useIsResponseBegun(entityId, isFixed ? sets[0]?.id : undefined);
  const answerable = sets.filter(canBeAnswered);
  if (answerable.length === 0) return null;
  if (!canCreate) {
    return (
      <Tooltip label="Contributors, reviewers and admins can submit responses." withinPortal={false}>
        <Button variant="default" leftSection={<PlusIcon />} data-disabled aria-disabled>
          New response
        </Button>
      </Tooltip>
    );
  }
  const isBegun = (set: CriteriaSet) =>
    isRelationScoped(set)
      ? readMatrixDraft(draftName(...matrixDraftOf(entityId, set)), set.dimensions) !== null
      : parseKept(readDraft(draftName("response", entityId, set.id)), set.dimensions) !== null;
  const open = () => {
    setSlug((before) => before ?? answerable.find(isBegun)?.slug ?? null);
    dialog.open();
  };
  const chosen = answerable.find((set) => set.slug === slug) ?? answerable[0];
  const isMatrix = chosen !== undefined && isRelationScoped(chosen);
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        {isOneBegun && !opened && <DraftBadge />}
        <Button leftSection={<PlusIcon />} onClick={open}>
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
            {!isFixed && answerable.length > 1 && (
              <CriteriaSetSelect
                label="Criteria set"
                typeSlug={typeSlug}
                by="slug"
                offers={canBeAnswered}
                value={chosen.slug}
                onChange={setSlug}
              />
            )}
            <ResponseForm
              key={chosen.id}
              entityId={entityId}
              criteriaSet={chosen}
              onCancel={dialog.close}
              onSubmitted={() => {
                dialog.close();
                setSlug(null);
                notifyDone("The response was submitted.");
              }}
            />
          </Stack>
        )}
      </Modal>
    </>
  );
}
