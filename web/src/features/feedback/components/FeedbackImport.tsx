import { Alert, Button, Checkbox, FileButton, Group, NativeSelect, Paper, Stack, Table, Text, Textarea, Title } from "@mantine/core";
import { CheckCircledIcon, InfoCircledIcon, UploadIcon } from "@radix-ui/react-icons";
import { useState } from "react";
import { placeErrors, toProblem } from "@/api/problem";
import type { ImportReport, NewImport } from "@/api/types";
import { formatValue } from "@/features/entities/lib/values";
import { Loaded } from "@/ui/Loaded";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useImport, useImportKinds } from "../hooks/useLoop";
import { MAX_FILE, kindLabel, parseRules, reportText, withRule } from "../lib/imports";
import { plural } from "../lib/words";
import classes from "./feedback.module.css";

/** Feedback from elsewhere: first what would come of it, then the import. */
export function FeedbackImport() {
  return (
    <Loaded query={useImportKinds()} what="the kinds of files">
      {(kinds) => <ImportForm kinds={kinds} />}
    </Loaded>
  );
}

interface Chosen {
  name: string;
  text: string;
}

function ImportForm({ kinds }: { kinds: readonly string[] }) {
  const send = useImport();
  const [kind, setKind] = useState(kinds[0] ?? "");
  const [file, setFile] = useState<Chosen | null>(null);
  const [rules, setRules] = useState("");
  const [neutral, setNeutral] = useState(false);
  const [report, setReport] = useState<ImportReport | null>(null);
  const isTooLong = file !== null && file.text.length > MAX_FILE;
  const placed = send.error ? placeErrors(toProblem(send.error), ["text", "rules", "kind"]) : null;
  /** Whatever changes, what was looked at is not what would be imported. */
  const changed = () => {
    setReport(null);
    send.reset();
  };
  const run = (dry_run: boolean) => {
    if (!file || isTooLong) return;
    const body: NewImport = { kind, text: file.text, dry_run, rules: parseRules(rules), neutral_rest: neutral };
    send.mutate(body, {
      onSuccess: (answer) => {
        setReport(answer);
        if (!answer.dry_run) notifyDone(`${plural(answer.new, "row")} imported.`);
      },
    });
  };
  return (
    <Stack gap="lg" maw={860}>
      <Paper
        component="form"
        withBorder
        radius="lg"
        p="md"
        onSubmit={(event) => {
          event.preventDefault();
          run(true);
        }}
      >
        <Stack>
          <FormProblem>{placed?.head}</FormProblem>
          <NativeSelect
            label="What the file holds"
            value={kind}
            error={placed?.fields.kind}
            data={kinds.map((value) => ({ value, label: kindLabel(value) }))}
            onChange={(event) => {
              setKind(event.currentTarget.value);
              changed();
            }}
          />
          <div>
            <Group gap="sm">
              <FileButton
                accept=".json,.jsonl,.ndjson,.csv,text/*,application/json"
                onChange={(chosen) => {
                  if (!chosen) return;
                  void chosen.text().then((text) => {
                    setFile({ name: chosen.name, text });
                    changed();
                  });
                }}
              >
                {(props) => (
                  <Button {...props} variant="default" leftSection={<UploadIcon />}>
                    Choose a file
                  </Button>
                )}
              </FileButton>
              <Text size="sm" {...(file ? {} : { c: "dimmed" })}>
                {file ? file.name : "JSON lines, a JSON array or CSV, up to 10 million characters"}
              </Text>
            </Group>
            {(isTooLong || placed?.fields.text) && (
              <Text size="sm" c="var(--mantine-color-error)" mt={4} role="alert">
                {isTooLong ? "This file is too long for the page. Import it with the command goldloop import." : placed?.fields.text}
              </Text>
            )}
          </div>
          <Textarea
            label="Rules"
            description="One a line: how a score becomes a rating. helpful=1..5, tone=good:positive,bad:negative, latency=min:0..10"
            autosize
            minRows={2}
            maxRows={10}
            spellCheck={false}
            error={placed?.fields.rules}
            value={rules}
            onChange={(event) => {
              setRules(event.currentTarget.value);
              changed();
            }}
          />
          <Checkbox
            label="Take scores without a rule as neutral"
            description="Otherwise they are left out: a rating is never guessed"
            checked={neutral}
            onChange={(event) => {
              setNeutral(event.currentTarget.checked);
              changed();
            }}
          />
          <Group justify="flex-end">
            <Button
              type="submit"
              variant={report?.dry_run ? "default" : "filled"}
              loading={send.isPending && send.variables?.dry_run}
              disabled={!file || isTooLong}
            >
              Preview
            </Button>
            {report?.dry_run && (
              <Button disabled={report.new === 0} loading={send.isPending && !send.variables?.dry_run} onClick={() => run(false)}>
                Import {plural(report.new, "row")}
              </Button>
            )}
          </Group>
        </Stack>
      </Paper>
      {report && (
        <Report
          report={report}
          onRule={(name) => {
            setRules(withRule(rules, name));
            changed();
          }}
        />
      )}
    </Stack>
  );
}

interface ReportProps {
  report: ImportReport;
  onRule: (name: string) => void;
}

function Report({ report, onRule }: ReportProps) {
  return (
    <section aria-labelledby="import-report">
      <Title order={2} mb="sm" id="import-report">
        {report.dry_run ? "What would come of it" : "What was imported"}
      </Title>
      <Alert
        color={report.dry_run ? "blue" : "green"}
        icon={report.dry_run ? <InfoCircledIcon /> : <CheckCircledIcon />}
        role="status"
        mb="md"
      >
        {reportText(report)}
      </Alert>
      {report.unmapped.length > 0 && <Unmapped report={report} onRule={onRule} />}
      {report.rejects.length > 0 && (
        <>
          <Title order={3} size="h3" mb={6}>
            Cannot be used
          </Title>
          <ul>
            {report.rejects.map(({ place, reason }) => (
              <Text key={place} component="li" size="sm">
                Row {place}: {reason}
              </Text>
            ))}
          </ul>
        </>
      )}
      {report.preview.length > 0 && <Preview rows={report.preview} />}
    </section>
  );
}

function Unmapped({ report, onRule }: ReportProps) {
  return (
    <Alert color="orange" icon={<InfoCircledIcon />} title="Scores that need a rule" mb="md" role="note">
      <Stack gap={6}>
        {report.unmapped.map(({ name, count, examples }) => (
          <Group key={name} justify="space-between" gap="sm">
            <Text size="sm">
              <b>{name}</b>, {plural(count, "row")}: {examples.map(formatValue).join(", ")}
            </Text>
            {report.dry_run && (
              <Button size="compact-xs" variant="default" aria-label={`New rule for ${name}`} onClick={() => onRule(name)}>
                New rule
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}

const COLUMNS = ["created_at", "source_type", "rating", "comment", "end_user"]; // those that are always worth a look

function Preview({ rows }: { rows: ImportReport["preview"] }) {
  const columns = COLUMNS.filter((column) => rows.some((row) => row[column] !== undefined && row[column] !== null));
  return (
    <>
      <Title order={3} size="h3" mb={6}>
        The first rows
      </Title>
      <div className={classes.preview} tabIndex={0} role="region" aria-label="The first rows">
        <Table aria-label="Preview">
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column} scope="col">
                  {column.replaceAll("_", " ")}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, place) => (
              // Rows of a preview have no identity of their own.
              <Table.Tr key={place}>
                {columns.map((column) => (
                  <Table.Td key={column}>{row[column] === null || row[column] === undefined ? "–" : formatValue(row[column])}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </>
  );
}
