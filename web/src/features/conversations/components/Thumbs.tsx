import { ActionIcon, Button, Group, Text, Textarea, Tooltip } from "@mantine/core";
import { useState } from "react";
import type { Reaction, ReactionRow } from "@/api/types";
import { REACTIONS, REACTION_LOOK } from "../lib/reactions";
import { ReactionIcon } from "./ReactionIcon";
import classes from "./conversations.module.css";

const MAX_COMMENT = 10_000; // the server's limit

interface ThumbsProps {
  /** What the group of thumbs is about, for those who do not see where it stands. */
  label: string;
  own: ReactionRow | undefined;
  /** Why this person cannot react; null when they can. */
  whyNot: string | null;
  /** Null clears. */
  onReact: (reaction: Reaction | null, text?: string | null) => void;
}

/** One's own reaction to an answer: a second click takes it back, and words may go with it. */
export function Thumbs({ label, own, whyNot, onReact }: ThumbsProps) {
  const [writing, setWriting] = useState(false);
  const said = own?.payload.reaction;
  const click = (reaction: Reaction) => {
    setWriting(false);
    onReact(said?.reaction === reaction ? null : reaction);
  };
  return (
    <>
      <Group gap={4} role="group" aria-label={label}>
        {REACTIONS.map((reaction) => (
          <Thumb
            key={reaction}
            reaction={reaction}
            pressed={said?.reaction === reaction}
            whyNot={whyNot}
            onClick={() => click(reaction)}
          />
        ))}
        {said && !writing && !whyNot && (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setWriting(true)}>
            {said.text ? "Change comment" : "New comment"}
          </Button>
        )}
      </Group>
      {said?.text && !writing && (
        <Text size="sm" className={classes.comment}>
          {said.text}
        </Text>
      )}
      {said && writing && (
        <CommentForm
          text={said.text ?? ""}
          onCancel={() => setWriting(false)}
          onSave={(text) => {
            setWriting(false);
            if (text !== (said.text ?? "")) onReact(said.reaction, text || null);
          }}
        />
      )}
    </>
  );
}

interface ThumbProps {
  reaction: Reaction;
  pressed: boolean;
  whyNot: string | null;
  onClick: () => void;
}

function Thumb({ reaction, pressed, whyNot, onClick }: ThumbProps) {
  const { label, color } = REACTION_LOOK[reaction];
  // What is disabled for the eye stays in reach of the keyboard, or nobody there would learn why.
  return (
    <Tooltip
      label={whyNot ?? (pressed ? `${label}: click again to clear` : label)}
      openDelay={400}
      events={{ hover: true, focus: true, touch: false }}
      withinPortal={false} // inside the page's landmarks
      multiline={whyNot !== null}
      w={whyNot === null ? undefined : 260}
    >
      <ActionIcon
        variant={pressed ? "light" : "subtle"}
        color={pressed ? color : "gray"}
        size={30}
        aria-label={label}
        aria-pressed={pressed}
        aria-disabled={whyNot ? true : undefined}
        data-disabled={whyNot ? true : undefined}
        onClick={() => whyNot === null && onClick()}
      >
        <ReactionIcon reaction={reaction} filled={pressed} />
      </ActionIcon>
    </Tooltip>
  );
}

interface CommentFormProps {
  text: string;
  onSave: (text: string) => void;
  onCancel: () => void;
}

function CommentForm({ text, onSave, onCancel }: CommentFormProps) {
  const [typed, setTyped] = useState(text);
  return (
    <form
      className={classes.commentForm}
      onSubmit={(event) => {
        event.preventDefault();
        onSave(typed.trim());
      }}
    >
      <Textarea
        aria-label="Comment"
        placeholder="What was good or bad about it"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_COMMENT}
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onCancel();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSave(typed.trim());
        }}
      />
      <Group gap="xs" mt={6}>
        <Button type="submit" size="xs">
          Save comment
        </Button>
        <Button variant="default" size="xs" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
