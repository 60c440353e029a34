import { Alert, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { ArrowRightIcon, ExclamationTriangleIcon } from "@radix-ui/react-icons";
import { type FormEvent, useState } from "react";
import { toProblem } from "@/api/problem";
import type { PromotionPreview as Preview } from "@/api/types";
import { shortValue } from "@/features/entities/lib/values";
import { notifyProblem } from "@/ui/notify";
import { ErrorState, FormProblem, LoadingRows } from "@/ui/states";
import { type Target, usePromote, usePromotionPreview } from "../hooks/usePromotion";
import { type PreviewRow, describePreview } from "../lib/preview";
import classes from "./review.module.css";

interface PromotionPreviewProps {
  target: Target;
  /** How the record's type calls its fields. */
  labels: ReadonlyMap<string, string>;
  onDone: (preview: Preview) => void;
  onCancel: () => void;
}

/** What a promotion would change, asked of the server, and the button that does it. Of several values any can be left
 * out. */
export function PromotionPreview(props: PromotionPreviewProps) {
  const preview = usePromotionPreview(props.target);
  return (
    <>
      {preview.isPending && <LoadingRows label="preview" rows={2} />}
      {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data && <Decision {...props} whole={preview.data} />}
    </>
  );
}

function Decision({ target, labels, onDone, onCancel, whole }: PromotionPreviewProps & { whole: Preview }) {
  const promote = usePromote();
  const [left, setLeft] = useState<readonly string[]>([]);
  const fields = target.fields.filter((key) => !left.includes(key));
  const { data: part, error } = usePromotionPreview({ ...target, fields }, fields.length > 0);
  const { rows, general } = describePreview({ ...whole, errors: part?.errors ?? [] }, labels);
  const refused = (part?.errors.length ?? 0) > 0;
  const wrong = rows.find((row) => row.errors.length > 0 && !left.includes(row.dimension));
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (!part || refused) return;
    promote.mutate(
      { ...target, fields, version: part.version },
      {
        onSuccess: () => onDone(part),
        onError: (error) =>
          notifyProblem(
            toProblem(error).code === "version_conflict"
              ? "The record changed meanwhile: look again"
              : "Nothing was promoted",
            error,
          ),
      },
    );
  };
  const toggle = (key: string) =>
    setLeft((before) => (before.includes(key) ? before.filter((each) => each !== key) : [...before, key]));
  return (
    <Stack component="form" gap="md" onSubmit={confirm}>
      <ul className={classes.changes}>
        {rows.map((row) => (
          <Change
            key={row.field}
            row={row}
            {...(rows.length > 1
              ? {
                  taken: !left.includes(row.dimension),
                  onToggle: () => toggle(row.dimension),
                  autoFocus: refused && row === wrong,
                }
              : {})}
          />
        ))}
      </ul>
      <FormProblem>{error && toProblem(error).message}</FormProblem>
      {refused && (
        <Alert color="red" role="alert" icon={<ExclamationTriangleIcon />} title="This cannot be promoted">
          {general.length > 0 ? general.join(" ") : "The record would no longer satisfy its type."}
          {rows.length > 1 && " Untick what is wrong to promote the rest."}
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        <Button
          size="xs"
          variant="default"
          data-autofocus={(refused && !(wrong && rows.length > 1)) || undefined}
          onClick={onCancel}
        >
          Cancel
        </Button>
        <Button
          size="xs"
          type="submit"
          data-autofocus={!refused || undefined}
          disabled={!part || refused}
          loading={promote.isPending}
        >
          {confirmLabel(fields.length, rows.length)}
        </Button>
      </Group>
    </Stack>
  );
}

function confirmLabel(taken: number, all: number): string {
  if (all <= 1) return "Promote";
  if (taken === 0) return "Nothing ticked";
  return taken === 1 ? "Promote 1 value" : `Promote ${taken} values`;
}

interface ChangeProps {
  row: PreviewRow;
  /** Absent where there is no choice. */
  taken?: boolean;
  onToggle?: () => void;
  autoFocus?: boolean;
}

function Change({ row, taken, onToggle, autoFocus }: ChangeProps) {
  return (
    <li className={classes.change} data-left={taken === false || undefined}>
      {taken === undefined ? (
        <Text size="xs" c="dimmed" fw={550}>
          {row.label}
        </Text>
      ) : (
        <Checkbox
          size="xs"
          label={row.label}
          className={classes.tick}
          checked={taken}
          data-autofocus={autoFocus || undefined}
          onChange={onToggle}
        />
      )}
      <div className={classes.beforeAfter}>
        <Text
          size="sm"
          c="dimmed"
          component="del"
          className={classes.before}
          data-absent={!row.presentBefore || undefined}
        >
          {row.presentBefore ? shortValue(row.before) : "No value"}
        </Text>
        <ArrowRightIcon role="img" aria-label="becomes" />
        <Text size="sm" fw={600} component="ins" className={classes.after} data-wrong={row.errors.length > 0 || undefined}>
          {shortValue(row.after)}
        </Text>
      </div>
      {!row.changes && (
        <Text size="xs" c="dimmed">
          Same value: only its source changes
        </Text>
      )}
      {row.errors.map((message) => (
        <Text key={message} size="xs" c="var(--mantine-color-error)">
          {message}
        </Text>
      ))}
    </li>
  );
}
