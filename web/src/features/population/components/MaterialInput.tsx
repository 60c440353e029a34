import { ActionIcon, Button, FileButton, Group, Stack, Text, Textarea } from "@mantine/core";
import { Cross2Icon, FileTextIcon, UploadIcon } from "@radix-ui/react-icons";
import { type DragEvent, useState } from "react";
import { type Document, isText, tooMuch } from "../lib/population";
import classes from "./population.module.css";

interface MaterialInputProps {
  text: string;
  documents: readonly Document[];
  onChange: (material: { text: string; documents: readonly Document[] }) => void;
  error?: string | undefined;
}

/** What the agent is given to read: a text that is pasted, and files of text that are dropped or chosen. */
export function MaterialInput({ text, documents, onChange, error }: MaterialInputProps) {
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const read = async (files: readonly File[]) => {
    const found = await Promise.all(files.map(async (file) => ({ title: file.name, text: await file.text() })));
    setRefused(found.filter((each) => !isText(each.text)).map(({ title }) => title));
    onChange({ text, documents: [...documents, ...found.filter((each) => isText(each.text))] });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void read([...event.dataTransfer.files]);
  };
  const problem = error ?? tooMuch({ text, documents });
  return (
    <Stack
      gap="xs"
      className={classes.drop}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Textarea
        label="Text to read"
        description="Optional. Paste what the values are to be found in, or drop files of text here."
        autosize
        minRows={3}
        maxRows={10}
        value={text}
        error={problem}
        onChange={(event) => onChange({ text: event.currentTarget.value, documents })}
      />
      {documents.length > 0 && (
        <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: "none" }} aria-label="Files">
          {documents.map((document, place) => (
            // Files have no identity of their own: two may be called the same.
            <Group component="li" key={place} gap="xs" wrap="nowrap">
              <FileTextIcon aria-hidden />
              <Text size="sm" flex={1} miw={0} truncate>
                {document.title}
              </Text>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Leave out ${document.title}`}
                onClick={() => onChange({ text, documents: documents.filter((_, other) => other !== place) })}
              >
                <Cross2Icon />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
      )}
      {refused.length > 0 && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {`Not a file of text: ${refused.join(", ")}. Copy its text and paste it here.`}
        </Text>
      )}
      <FileButton multiple accept="text/*,.md,.csv,.json,.txt,.html,.xml" onChange={(files) => void read(files)}>
        {(props) => (
          <Button {...props} size="xs" variant="default" leftSection={<UploadIcon />} style={{ alignSelf: "flex-start" }}>
            Choose files
          </Button>
        )}
      </FileButton>
    </Stack>
  );
}
