import { JsonInput, List, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Fault } from "@/api/faults";
import { type Json, isObject } from "../lib/fieldDraft";
import type { TypeJson } from "../lib/typeDraft";

interface TypeJsonEditorProps {
  /** Read once; afterwards the text is what counts. */
  json: TypeJson;
  faults: readonly Fault[];
  onRead: (json: TypeJson) => void;
  onValidity: (isValid: boolean) => void;
}

/** The schema and the field configs as they are stored. */
export function TypeJsonEditor({ json, faults, onRead, onValidity }: TypeJsonEditorProps) {
  const [texts, setTexts] = useState(() => ({ schema: pretty(json.json_schema), configs: pretty(json.field_configs) }));
  const change = (part: Partial<typeof texts>) => {
    const next = { ...texts, ...part };
    setTexts(next);
    const [schema, configs] = [parse(next.schema), parse(next.configs)];
    onValidity(schema !== null && configs !== null);
    if (schema && configs) onRead({ json_schema: schema, field_configs: configs });
  };
  return (
    <Stack gap="md">
      {faults.length > 0 && (
        <List size="sm" c="var(--mantine-color-error)" role="alert">
          {faults.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <Text component="span" size="sm" ff="monospace">
                {path}
              </Text>
              {` ${message}`}
            </List.Item>
          ))}
        </List>
      )}
      <JsonInput
        label="JSON Schema"
        description="Draft 2020-12, an object schema"
        autosize
        minRows={12}
        maxRows={32}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 13 } }}
        value={texts.schema}
        error={parse(texts.schema) ? undefined : "This is not a JSON object"}
        onChange={(schema) => change({ schema })}
      />
      <JsonInput
        label="Field configs"
        description="By field name: label, description, widget, relation"
        autosize
        minRows={6}
        maxRows={24}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 13 } }}
        value={texts.configs}
        error={parse(texts.configs) ? undefined : "This is not a JSON object"}
        onChange={(configs) => change({ configs })}
      />
    </Stack>
  );
}

function pretty(json: Json): string {
  return JSON.stringify(json, null, 2);
}

function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
