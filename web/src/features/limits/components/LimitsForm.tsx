import { Button, Group, NumberInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { LimitsView, UsageLimits } from "@/api/types";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useLimitActions } from "../hooks/useLimits";
import { type FormValues, fromForm, toForm } from "../lib/words";

const FIELDS: { name: keyof UsageLimits; label: string; description: string; decimals?: boolean }[] = [
  { name: "requests_per_minute", label: "Requests a minute", description: "Of everybody in the workspace together" },
  { name: "key_requests_per_minute", label: "Requests a minute of each key", description: "Unless a key has a limit of its own" },
  { name: "tokens_per_day", label: "Tokens a day", description: "Of runs here; a day begins at midnight UTC" },
  { name: "cost_per_day", label: "Cost a day, in US dollars", description: "Of the same runs, where their cost is known", decimals: true },
  { name: "storage_bytes", label: "Storage, in GiB", description: "Rows and blobs together", decimals: true },
];

/** What the workspace may use; an empty field is no limit. */
export function LimitsForm({ view: { limits, installation } }: { view: LimitsView }) {
  const { change } = useLimitActions();
  const form = useForm<FormValues>({ initialValues: toForm(limits) });
  const problem = useProblemForm(form);
  const most = toForm(installation);
  const submit = form.onSubmit(async (values) => {
    problem.clear();
    try {
      await change.mutateAsync(fromForm(values));
      form.resetDirty();
      notifyDone("Saved. It counts within a few seconds.");
    } catch (error) {
      problem.place(error);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={480}>
        <FormProblem>{problem.head}</FormProblem>
        {FIELDS.map(({ name, label, description, decimals }) => (
          <NumberInput
            key={name}
            label={label}
            description={most[name] === "" ? description : `${description}. Of this installation at most ${most[name].toLocaleString("en")}`}
            placeholder="No limit"
            min={decimals ? 0 : 1}
            allowNegative={false}
            allowDecimal={decimals ?? false}
            thousandSeparator=","
            {...form.getInputProps(name)}
          />
        ))}
        <Group>
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
