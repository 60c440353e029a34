import {
  ActionIcon,
  Button,
  Collapse,
  Group,
  NativeSelect,
  Paper,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { ChevronRightIcon, PlusIcon, TrashIcon } from "@radix-ui/react-icons";
import { useId } from "react";
import { type Fault, hasFaultAt, messageAt } from "@/api/faults";
import type { Dimension } from "@/api/types";
import { localId } from "@/ui/localId";
import {
  CONFIDENCES,
  type Evidence,
  type EvidenceDraft,
  NO_EVIDENCE,
  SOURCE_TYPES,
  type SourceDraft,
  type SourceType,
  sourcePlace,
} from "../lib/evidenceDraft";

interface ResponseFormEvidenceProps {
  dimensions: readonly Dimension[];
  evidence: Evidence;
  faults: readonly Fault[];
  onChange: (evidence: Evidence) => void;
}

/** For those who want to say how sure they are and where a value comes from; out of the way for others. */
export function ResponseFormEvidence({ dimensions, evidence, faults, onChange }: ResponseFormEvidenceProps) {
  const [opened, { toggle }] = useDisclosure(false);
  const id = useId();
  const shown = opened || hasFaultAt(faults, "/field_meta");
  const given = dimensions.filter(({ key }) => evidence[key]);
  const free = dimensions.filter(({ key }) => !evidence[key]);
  const without = (key: string) => Object.fromEntries(Object.entries(evidence).filter(([each]) => each !== key));
  return (
    <div>
      <UnstyledButton onClick={toggle} aria-expanded={shown} aria-controls={id} style={{ borderRadius: 5 }}>
        <Group gap={6}>
          <ChevronRightIcon aria-hidden style={{ transform: shown ? "rotate(90deg)" : undefined }} />
          <Text size="sm" fw={500}>
            Evidence
          </Text>
          <Text size="xs" c="dimmed">
            {given.length > 0 ? `for ${given.length} of ${dimensions.length}` : "confidence and sources, optional"}
          </Text>
        </Group>
      </UnstyledButton>
      <Collapse expanded={shown} id={id}>
        <Stack gap="sm" mt="sm">
          {given.map((dimension) => (
            <DimensionEvidence
              key={dimension.key}
              dimension={dimension}
              draft={evidence[dimension.key] ?? NO_EVIDENCE}
              faults={faults}
              onChange={(draft) => onChange({ ...evidence, [dimension.key]: draft })}
              onRemove={() => onChange(without(dimension.key))}
            />
          ))}
          {free.length > 0 && (
            <NativeSelect
              aria-label="New evidence for"
              maw={320}
              size="sm"
              value=""
              data={[
                { value: "", label: "New evidence for…" },
                ...free.map(({ key, label }) => ({ value: key, label })),
              ]}
              onChange={(event) => onChange({ ...evidence, [event.currentTarget.value]: NO_EVIDENCE })}
            />
          )}
        </Stack>
      </Collapse>
    </div>
  );
}

interface DimensionEvidenceProps {
  dimension: Dimension;
  draft: EvidenceDraft;
  faults: readonly Fault[];
  onChange: (draft: EvidenceDraft) => void;
  onRemove: () => void;
}

function DimensionEvidence({ dimension, draft, faults, onChange, onRemove }: DimensionEvidenceProps) {
  const { sources } = draft;
  const change = (id: string, part: Partial<SourceDraft>) =>
    onChange({ ...draft, sources: sources.map((source) => (source.id === id ? { ...source, ...part } : source)) });
  const add = () =>
    onChange({ ...draft, sources: [...sources, { id: localId(), type: "web", reference: "", quote: "" }] });
  return (
    <Paper withBorder p="sm" role="group" aria-label={`Evidence for ${dimension.label}`}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={550}>
            {dimension.label}
          </Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove evidence for ${dimension.label}`}
            onClick={onRemove}
          >
            <TrashIcon />
          </ActionIcon>
        </Group>
        <NativeSelect
          label="Confidence"
          size="xs"
          maw={200}
          value={draft.confidence ?? ""}
          data={[{ value: "", label: "Not said" }, ...CONFIDENCES.map((each) => ({ value: each, label: each }))]}
          onChange={(event) => {
            const { value } = event.currentTarget;
            onChange({ ...draft, confidence: CONFIDENCES.find((each) => each === value) ?? null });
          }}
        />
        {sources.map((source, place) => (
          <SourceInput
            key={source.id}
            name={`source ${place + 1} of ${dimension.label}`}
            source={source}
            error={messageAt(faults, sourcePlace(dimension.key, draft, source))}
            onChange={(part) => change(source.id, part)}
            onRemove={() => onChange({ ...draft, sources: sources.filter(({ id }) => id !== source.id) })}
          />
        ))}
        <div>
          <Button size="compact-sm" variant="default" leftSection={<PlusIcon />} onClick={add}>
            New source
          </Button>
        </div>
      </Stack>
    </Paper>
  );
}

interface SourceInputProps {
  name: string;
  source: SourceDraft;
  error: string | undefined;
  onChange: (part: Partial<SourceDraft>) => void;
  onRemove: () => void;
}

function SourceInput({ name, source, error, onChange, onRemove }: SourceInputProps) {
  const { reference, placeholder } = SOURCE_TYPES[source.type];
  return (
    <Group gap="xs" align="flex-start">
      <NativeSelect
        size="xs"
        w={110}
        aria-label={`Kind of ${name}`}
        value={source.type}
        data={Object.entries(SOURCE_TYPES).map(([value, { label }]) => ({ value, label }))}
        onChange={(event) => onChange({ type: event.currentTarget.value as SourceType })}
      />
      <TextInput
        size="xs"
        flex="2 1 160px"
        aria-label={`${reference} of ${name}`}
        placeholder={placeholder || reference}
        error={error}
        errorProps={{ role: "alert" }}
        value={source.reference}
        onChange={(event) => onChange({ reference: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        flex="2 1 140px"
        aria-label={`Passage of ${name}`}
        placeholder="Passage, optional"
        maxLength={5000}
        value={source.quote}
        onChange={(event) => onChange({ quote: event.currentTarget.value })}
      />
      <ActionIcon variant="subtle" color="gray" size={30} aria-label={`Remove ${name}`} onClick={onRemove}>
        <TrashIcon />
      </ActionIcon>
    </Group>
  );
}
