import { Button, Group, NumberInput, Select, Text } from "@mantine/core";
import { useState } from "react";
import type { Key, KeyLimit } from "@/api/types";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useLimitActions } from "../hooks/useLimits";

/** Keys with a limit, and giving one a limit of its own. */
export function KeyLimits({ limits, keys }: { limits: readonly KeyLimit[]; keys: readonly Key[] }) {
  return (
    <>
      {limits.length > 0 ? <KeyTable limits={limits} /> : <Text size="sm">No key has a limit.</Text>}
      <NewKeyLimit keys={keys} />
    </>
  );
}

function KeyTable({ limits }: { limits: readonly KeyLimit[] }) {
  const columns: Column<KeyLimit>[] = [
    { key: "name", header: "Key", cell: ({ name }) => name },
    { key: "most", header: "Requests a minute", cell: ({ requests_per_minute: most, own }) => `${most.toLocaleString("en")}${own ? "" : ", as every key"}` },
    { key: "used", header: "Used", cell: ({ used }) => used.toLocaleString("en") },
    { key: "left", header: "Left", cell: ({ left }) => left.toLocaleString("en") },
    { key: "back", header: "Take back", hideHeader: true, cell: (limit) => limit.own && <TakeBack limit={limit} /> },
  ];
  return <DataTable label="Limits of keys" columns={columns} rows={limits} rowKey={({ key_id: id }) => id} />;
}

function TakeBack({ limit }: { limit: KeyLimit }) {
  const { changeKey } = useLimitActions();
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={changeKey.isPending}
      aria-label={`Take the limit of ${limit.name} back`}
      onClick={() => changeKey.mutate({ id: limit.key_id, most: null }, { onError: (error) => notifyProblem("The limit was not taken back", error) })}
    >
      Take back
    </Button>
  );
}

function NewKeyLimit({ keys }: { keys: readonly Key[] }) {
  const { changeKey } = useLimitActions();
  const [id, setId] = useState<string | null>(null);
  const [most, setMost] = useState<string | number>("");
  const save = () => {
    if (id === null || most === "") return;
    changeKey.mutate(
      { id, most: Number(most) },
      {
        onSuccess: () => {
          setId(null);
          setMost("");
          notifyDone("The key has a limit of its own.");
        },
        onError: (error) => notifyProblem("The limit was not set", error),
      },
    );
  };
  return (
    <Group align="flex-end" mt="md">
      <Select label="API key" placeholder="Choose a key" value={id} onChange={setId} data={keys.map((key) => ({ value: key.id, label: `${key.name} (${key.prefix}…)` }))} />
      <NumberInput label="Its requests a minute" min={1} allowNegative={false} allowDecimal={false} thousandSeparator="," value={most} onChange={setMost} />
      <Button variant="default" disabled={id === null || most === ""} loading={changeKey.isPending} onClick={save}>
        Set the limit
      </Button>
    </Group>
  );
}
