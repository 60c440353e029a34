import { Badge, Group, Stack, Text } from "@mantine/core";
import type { Agreement } from "@/api/types";
import { ErrorState, LoadingRows } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useAgreement } from "../hooks/useCriteriaSets";
import { gradeAlpha, whyNone } from "../lib/agreement";

const columns: Column<Agreement>[] = [
  { key: "label", header: "Dimension", cell: ({ label }) => <Text size="sm">{label}</Text> },
  { key: "alpha", header: "Agreement", cell: (row) => <Alpha row={row} /> },
  { key: "level", header: "Measured as", cell: ({ level }) => level ?? "–" },
  { key: "raters", header: "Respondents", cell: ({ raters }) => raters || "–" },
  { key: "units", header: "Compared", cell: compared },
];

function compared({ units, values }: Agreement): string {
  return units === 0 ? "–" : `${values} answers about ${units === 1 ? "1 thing" : `${units} things`}`;
}

function Alpha({ row }: { row: Agreement }) {
  if (row.alpha === null) {
    return (
      <Text size="sm" c="dimmed">
        {whyNone(row)}
      </Text>
    );
  }
  const { label, color } = gradeAlpha(row.alpha);
  return (
    <Group gap={8} wrap="nowrap">
      <Text size="sm" fw={550} style={{ fontVariantNumeric: "tabular-nums" }}>
        {row.alpha.toFixed(2)}
      </Text>
      <Badge color={color}>{label}</Badge>
    </Group>
  );
}

/** How far those who answered agree, beyond chance. */
export function AgreementPanel({ setId }: { setId: string }) {
  const { data, error, isPending, refetch } = useAgreement(setId);
  if (isPending) return <LoadingRows label="agreement" rows={2} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data.data.every(({ values }) => values === 0)) {
    return (
      <Text size="sm" c="dimmed">
        Appears once two people or agents have answered about the same record.
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <DataTable label="Agreement" columns={columns} rows={data.data} rowKey={({ key }) => key} />
      <Text size="xs" c="dimmed">
        Krippendorff's alpha: 1 is perfect agreement, 0 what chance would give. From 0.80 on answers can be relied on,
        from 0.67 on tentatively.
        {data.responses_omitted > 0 && ` Of very many responses: the oldest ${data.responses_omitted} are not compared.`}
      </Text>
    </Stack>
  );
}
