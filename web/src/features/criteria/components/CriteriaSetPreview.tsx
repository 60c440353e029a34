import { Paper, Stack, Text, Title } from "@mantine/core";
import { useMemo, useState } from "react";
import type { SetDraft } from "../lib/draft";
import { previewOf } from "../lib/preview";
import { CriteriaSetRenderer } from "./CriteriaSetRenderer";
import { ResponseFormScore } from "./ResponseFormScore";

/** The form as those who answer will see it. It can be filled in; nothing is kept. */
export function CriteriaSetPreview({ draft }: { draft: SetDraft }) {
  const [values, setValues] = useState<Record<string, unknown>>({});
  const shown = useMemo(() => previewOf(draft), [draft]);
  return (
    <Paper component="section" aria-label="Preview" withBorder radius="lg" p="md">
      <Stack gap="md">
        <div>
          <Text size="xs" c="dimmed" fw={550}>
            Preview
          </Text>
          <Title order={3} fz="md">
            {draft.name || "Untitled"}
          </Title>
          {draft.description && (
            <Text size="sm" c="dimmed">
              {draft.description}
            </Text>
          )}
        </div>
        {shown.dimensions.length === 0 && (
          <Text size="sm" c="dimmed">
            The form appears here as you add dimensions.
          </Text>
        )}
        <CriteriaSetRenderer
          criteriaSet={shown}
          values={values}
          errors={{}}
          onChange={(key, value) => setValues((before) => ({ ...before, [key]: value }))}
        />
        <ResponseFormScore values={values} dimensions={shown.dimensions} />
      </Stack>
    </Paper>
  );
}
