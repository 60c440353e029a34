import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { toProblem } from "@/api/problem";
import type { ChainNode } from "@/api/types";
import { Modal } from "@/ui/Modal";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useRetracting } from "../hooks/useChain";
import { KIND, countOf, titleOf } from "../lib/words";

const MAX_REASON = 2000; // the server's limit

interface RetractDialogProps {
  /** Null: the dialog is closed. */
  node: ChainNode | null;
  onClose: () => void;
}

/** To say that something is not to be relied on any more, and why. */
export function RetractDialog({ node, onClose }: RetractDialogProps) {
  return (
    <Modal opened={node !== null} onClose={onClose} title={node ? `Retract this ${KIND[node.kind].label.toLowerCase()}` : ""}>
      {node && <RetractForm node={node} onClose={onClose} />}
    </Modal>
  );
}

function RetractForm({ node, onClose }: { node: ChainNode; onClose: () => void }) {
  const { retract } = useRetracting();
  const navigate = useNavigate();
  const [reason, setReason] = useState("");
  const submit = () =>
    retract.mutate(
      { ref: node.ref, reason: reason.trim() },
      {
        onSuccess: (made) => {
          notifyDone(`Retracted. ${countOf(made.open_items, "thing")} to look at again.`);
          onClose();
          void navigate({ to: "/chain/retractions", search: { retraction: made.id } });
        },
      },
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        <FormProblem>{retract.isError ? toProblem(retract.error).message : null}</FormProblem>
        <Text size="sm" dir="auto" style={{ overflowWrap: "anywhere" }}>
          {titleOf(node)}
        </Text>
        <Text size="sm" c="dimmed">
          Values, claims, lessons and goldens that rest on it are listed for people to look at again. Nothing changes by itself,
          and the retraction can be taken back.
        </Text>
        <Textarea
          label="Why it is not to be relied on"
          required
          autosize
          minRows={2}
          maxRows={8}
          maxLength={MAX_REASON}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={retract.isPending} disabled={reason.trim() === ""}>
            Retract
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
