import { Button, Group, SegmentedControl, Stack, Text, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { BookmarkIcon } from "@radix-ui/react-icons";
import { useRef, useState } from "react";
import { placeErrors, toProblem } from "@/api/problem";
import type { FeedbackRating } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { Modal } from "@/ui/Modal";
import { notifyUndoable } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useFeedbackActions } from "../hooks/useFeedback";
import { type Flagged, flagOf } from "../lib/flags";
import { RATINGS, RATING_LOOK } from "../lib/words";

const MAX_COMMENT = 10_000; // the server's limit

interface FlagButtonProps {
  flagged: Flagged;
  /** In small beside other small things. */
  isSmall?: boolean;
}

/** "Flag this": whoever reviews feedback says what is wrong with what they look at. */
export function FlagButton({ flagged, isSmall = false }: FlagButtonProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const may = useCan()("feedback.team.review");
  if (!may) return null;
  return (
    <>
      <Button
        size={isSmall ? "compact-xs" : "sm"}
        variant={isSmall ? "subtle" : "default"}
        {...(isSmall ? { color: "gray" } : {})}
        leftSection={<BookmarkIcon />}
        aria-label={`Flag this ${flagged.what}`}
        onClick={open}
      >
        Flag
      </Button>
      <Modal opened={opened} onClose={close} title={`Flag this ${flagged.what}`}>
        {opened && <FlagForm flagged={flagged} onClose={close} />}
      </Modal>
    </>
  );
}

function FlagForm({ flagged, onClose }: { flagged: Flagged; onClose: () => void }) {
  const { give, takeBack } = useFeedbackActions();
  const form = useRef<HTMLFormElement>(null);
  const [rating, setRating] = useState<FeedbackRating>("negative");
  const [comment, setComment] = useState("");
  const [isAsked, setAsked] = useState(false);
  const isMissing = comment.trim() === "";
  const placed = give.error ? placeErrors(toProblem(give.error), ["comment"]) : null;
  const send = () => {
    setAsked(true);
    if (isMissing) return form.current?.querySelector("textarea")?.focus();
    give.mutate(flagOf(flagged, rating, comment.trim()), {
      onSuccess: ({ id }) => {
        onClose();
        notifyUndoable("Flagged. It waits among the feedback.", () => takeBack.mutate(id));
      },
    });
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!give.isPending) send();
      }}
    >
      <Stack>
        <FormProblem>{placed?.head}</FormProblem>
        <Textarea
          label={rating === "positive" ? "What is good about it" : "What is wrong"}
          data-autofocus
          aria-required
          autosize
          minRows={3}
          maxRows={10}
          maxLength={MAX_COMMENT}
          error={placed?.fields.comment ?? (isAsked && isMissing && "Without words nobody knows what is meant.")}
          errorProps={{ role: "alert" }}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
        <div>
          <Text size="sm" fw={500} mb={4}>
            Rating
          </Text>
          <SegmentedControl
            aria-label="Rating"
            fullWidth
            value={rating}
            data={RATINGS.map((value) => ({ value, label: RATING_LOOK[value].label }))}
            onChange={(value) => setRating(value as FeedbackRating)}
          />
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={give.isPending}>
            Flag
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
