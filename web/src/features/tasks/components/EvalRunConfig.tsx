import { Checkbox, Group, NumberInput } from "@mantine/core";
import { ListSelect } from "@/ui/ListSelect";
import { useSetChoice } from "../hooks/useSetChoice";
import type { EvalRunDraft } from "../lib/evalRun";

interface EvalRunConfigProps {
  draft: EvalRunDraft;
  missing: Record<string, string>;
  faultAt: (...places: string[]) => string | undefined;
  onChange: (draft: EvalRunDraft) => void;
}

/** Which set is replayed, how often, beside whom, and what that may cost. */
export function EvalRunConfig({ draft, missing, faultAt, onChange }: EvalRunConfigProps) {
  const change = (part: Partial<EvalRunDraft>) => onChange({ ...draft, ...part });
  const amount = (value: number | string) => (typeof value === "number" ? value : "");
  return (
    <>
      <ListSelect
        label="Set of goldens"
        description="The agent replays each of them, in the version that it has then."
        list={useSetChoice()}
        option={({ name }) => ({ value: name, label: name })}
        value={draft.setName}
        error={missing["setName"] ?? faultAt("/config/setName")}
        onChange={(setName) => change({ setName })}
      />
      <Group grow align="flex-start">
        <NumberInput
          label="Repeats"
          description="Of each golden"
          min={1}
          max={100}
          allowDecimal={false}
          value={draft.repeats}
          error={missing["repeats"] ?? faultAt("/config/repeats")}
          onChange={(value) => change({ repeats: amount(value) })}
        />
        <NumberInput
          label="Margin"
          description="Points that still count as no worse"
          min={0}
          max={100}
          value={draft.margin}
          error={missing["margin"] ?? faultAt("/config/margin")}
          onChange={(value) => change({ margin: amount(value) })}
        />
        <NumberInput
          label="Cost limit"
          description="In dollars. Optional."
          min={0}
          prefix="$"
          value={draft.maxCost}
          error={faultAt("/config/maxCost")}
          onChange={(value) => change({ maxCost: amount(value) })}
        />
      </Group>
      <Checkbox
        label="Compare with the agent as it was"
        description="What gets worse waits in the inbox, after fresh repeats confirm it."
        checked={draft.compares}
        onChange={(event) => change({ compares: event.currentTarget.checked })}
      />
    </>
  );
}
