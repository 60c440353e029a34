import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { ArrowRightIcon, ExclamationTriangleIcon } from "@radix-ui/react-icons";
import { useEffect, useRef } from "react";
import { toProblem } from "@/api/problem";
import type { PromotionPreview as Preview } from "@/api/types";
import { shortValue } from "@/features/entities/lib/values";
import { notifyProblem } from "@/ui/notify";
import { ErrorState, LoadingRows } from "@/ui/states";
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

/** What a promotion would change, asked of the server, and the button that does it. */
export function PromotionPreview(props: PromotionPreviewProps) {
  const preview = usePromotionPreview(props.target);
  const root = useRef<HTMLDivElement>(null);
  const settled = !preview.isPending;
  // The focus stays in here while the answer is on its way, and then is where Enter confirms.
  useEffect(() => {
    const button = settled ? root.current?.querySelector<HTMLElement>("button[data-decide]") : null;
    (button ?? root.current)?.focus();
  }, [settled]);
  return (
    <div ref={root} tabIndex={-1} style={{ outline: "none" }}>
      {preview.isPending && <LoadingRows label="preview" rows={2} />}
      {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data && <Decision {...props} data={preview.data} />}
    </div>
  );
}

function Decision({ target, labels, onDone, onCancel, data }: PromotionPreviewProps & { data: Preview }) {
  const promote = usePromote();
  const { rows, general } = describePreview(data, labels);
  const refused = data.errors.length > 0;
  const confirm = () =>
    promote.mutate(
      { ...target, version: data.version },
      {
        onSuccess: () => onDone(data),
        onError: (error) =>
          notifyProblem(
            toProblem(error).code === "version_conflict"
              ? "The record changed meanwhile: look again"
              : "Nothing was promoted",
            error,
          ),
      },
    );
  return (
    <Stack gap="md">
      <ul className={classes.changes}>
        {rows.map((row) => (
          <Change key={row.field} row={row} />
        ))}
      </ul>
      {refused && (
        <Alert color="red" role="alert" icon={<ExclamationTriangleIcon />} title="This cannot be promoted">
          {general.length > 0
            ? general.join(" ")
            : rows.length > 1
              ? "The record would no longer satisfy its type. Promote the other values one by one."
              : "The record would no longer satisfy its type."}
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        <Button size="xs" variant="default" data-decide={refused || undefined} onClick={onCancel}>
          Cancel
        </Button>
        <Button size="xs" data-decide={!refused || undefined} disabled={refused} loading={promote.isPending} onClick={confirm}>
          {rows.length > 1 ? `Promote ${rows.length} values` : "Promote"}
        </Button>
      </Group>
    </Stack>
  );
}

function Change({ row }: { row: PreviewRow }) {
  return (
    <li className={classes.change}>
      <Text size="xs" c="dimmed" fw={550}>
        {row.label}
      </Text>
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
