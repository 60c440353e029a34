import { Alert, Anchor, Button, FileButton, Group, NativeSelect, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { CheckCircledIcon, CrossCircledIcon, InfoCircledIcon, UploadIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { placeErrors, toProblem } from "@/api/problem";
import type { EntityType, RecordImport as Report } from "@/api/types";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useRecordImport } from "../hooks/useRecordImport";
import { formatValue } from "../lib/values";
import { countRecords } from "./SelectionBar";

const MAX_FILE = 10_000_000; // characters, as the server has it

interface RecordImportProps {
  types: readonly EntityType[];
  type: string | undefined;
  onType: (type: string) => void;
}

/** Records from a table: first what would come of it, then the import; all of them or none. */
export function RecordImport({ types, type, onType }: RecordImportProps) {
  const send = useRecordImport();
  const [file, setFile] = useState<{ name: string; text: string } | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const slug = types.some((each) => each.slug === type) ? (type ?? "") : (types[0]?.slug ?? "");
  const isTooLong = file !== null && file.text.length > MAX_FILE;
  const placed = send.error ? placeErrors(toProblem(send.error), ["text", "type"]) : null;
  const canImport = report !== null && !report.imported && report.errors.length === 0 && report.new > 0;
  /** Whatever changes, what was looked at is not what would be imported. */
  const changed = () => {
    setReport(null);
    send.reset();
  };
  const run = (dry_run: boolean) => {
    if (!file || isTooLong) return;
    send.mutate(
      { type: slug, text: file.text, dry_run },
      {
        onSuccess: (answer) => {
          setReport(answer);
          if (answer.imported) notifyDone(`${countRecords(answer.new)} imported.`);
        },
      },
    );
  };
  return (
    <Stack gap="lg" maw={960}>
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
            label="Type of the records"
            value={slug}
            error={placed?.fields.type}
            data={types.map(({ slug, name }) => ({ value: slug, label: name }))}
            onChange={(event) => {
              onType(event.currentTarget.value);
              changed();
            }}
          />
          <div>
            <Group gap="sm">
              <FileButton
                accept=".csv,.tsv,.txt,text/csv"
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
                {file ? file.name : "CSV with a column title and a column for each field, up to 5,000 rows"}
              </Text>
            </Group>
            {(isTooLong || placed?.fields.text) && (
              <Text size="sm" c="var(--mantine-color-error)" mt={4} role="alert">
                {isTooLong ? "This file is too long. Import it in parts." : placed?.fields.text}
              </Text>
            )}
          </div>
          <Group justify="flex-end">
            <Button
              type="submit"
              variant={canImport ? "default" : "filled"}
              loading={send.isPending && send.variables?.dry_run}
              disabled={!file || isTooLong || !slug}
            >
              Preview
            </Button>
            {canImport && (
              <Button loading={send.isPending && !send.variables?.dry_run} onClick={() => run(false)}>
                Import {countRecords(report.new)}
              </Button>
            )}
          </Group>
        </Stack>
      </Paper>
      {report && <ReportView report={report} />}
    </Stack>
  );
}

function ReportView({ report }: { report: Report }) {
  const failed = report.errors.length > 0;
  const Icon = report.imported ? CheckCircledIcon : failed ? CrossCircledIcon : InfoCircledIcon;
  return (
    <section aria-labelledby="import-report">
      <Title order={2} mb="sm" id="import-report">
        {report.imported ? "What was imported" : "What would come of it"}
      </Title>
      <Alert color={report.imported ? "green" : failed ? "red" : "blue"} icon={<Icon />} role="status" mb="md">
        {reportText(report)}{" "}
        {report.imported && (
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/records" search={{ type: report.type }} />}>
            Look at them
          </Anchor>
        )}
      </Alert>
      {failed && <Errors report={report} />}
      {report.preview.length > 0 && !failed && <Preview report={report} />}
    </section>
  );
}

function reportText({ imported, rows, new: made, existing, errors, errors_omitted, left_out }: Report): string {
  const many = errors.length + errors_omitted;
  if (many > 0) return `${rows} rows, ${many === 1 ? "one error" : `${many} errors`}. Nothing is imported until all rows are right.`;
  const there = existing > 0 ? ` ${countRecords(existing)} ${existing === 1 ? "is" : "are"} there already, just so.` : "";
  const without = left_out.length > 0 ? ` Left out: ${left_out.join(", ")}.` : "";
  return `${countRecords(made)} ${imported ? "imported" : "would be new"}.${there}${without}`;
}

function Errors({ report }: { report: Report }) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table aria-label="Errors">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Row</Table.Th>
            <Table.Th scope="col">Column</Table.Th>
            <Table.Th scope="col">What is wrong</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {report.errors.map(({ row, column, message }, place) => (
            <Table.Tr key={place}>
              <Table.Td>{row}</Table.Td>
              <Table.Td>{column ?? "–"}</Table.Td>
              <Table.Td>{message}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Preview({ report }: { report: Report }) {
  const fields = report.columns.filter((column) => !["id", "type", "title"].includes(column));
  return (
    <>
      <Title order={3} size="h3" mb={6}>
        The first records
      </Title>
      <Table.ScrollContainer minWidth={320}>
        <Table aria-label="Preview">
          <Table.Thead>
            <Table.Tr>
              {["Row", "Title", ...fields].map((column) => (
                <Table.Th key={column} scope="col">
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {report.preview.map(({ row, title, content }) => (
              <Table.Tr key={row}>
                <Table.Td>{row}</Table.Td>
                <Table.Td>{title}</Table.Td>
                {fields.map((field) => (
                  <Table.Td key={field}>{content[field] === undefined ? "–" : formatValue(content[field])}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}
