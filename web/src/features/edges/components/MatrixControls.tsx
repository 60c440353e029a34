import { Group, Input, NativeSelect, SegmentedControl, Switch } from "@mantine/core";
import { useId } from "react";
import type { Dimension } from "@/api/types";
import { STRATEGIES, type Strategy } from "@/features/entities/lib/search";
import { type MatrixChoice, SCORE, STRATEGY_LABEL } from "../lib/matrixView";
import classes from "./Matrix.module.css";

interface MatrixControlsProps {
  dimensions: readonly Dimension[];
  choice: MatrixChoice;
  onChoose: (part: Partial<MatrixChoice>) => void;
}

export function MatrixControls({ dimensions, choice, onChoose }: MatrixControlsProps) {
  const together = useId();
  const options = dimensions.map(({ key, label }) => ({ value: key, label }));
  const onlyOne = choice.y === SCORE;
  return (
    <Group gap="md" align="flex-end" mb="sm" className={classes.controls}>
      <NativeSelect
        label="Across"
        size="xs"
        data={options}
        value={choice.x ?? ""}
        onChange={(event) => onChoose({ x: event.currentTarget.value })}
      />
      <NativeSelect
        label="Upwards"
        size="xs"
        data={onlyOne ? [{ value: SCORE, label: "Score" }, ...options] : options}
        value={choice.y}
        onChange={(event) => onChoose({ y: event.currentTarget.value })}
      />
      <NativeSelect
        label="Size"
        size="xs"
        data={[{ value: "", label: "All alike" }, ...options]}
        value={choice.z ?? ""}
        onChange={(event) => onChoose({ z: event.currentTarget.value || null })}
      />
      <div>
        <Input.Label size="xs" labelElement="div" id={together}>
          Brought together by
        </Input.Label>
        <SegmentedControl
          size="xs"
          display="flex"
          aria-labelledby={together}
          data={STRATEGIES.map((value) => ({ value, label: STRATEGY_LABEL[value] }))}
          value={choice.agg}
          onChange={(agg) => onChoose({ agg: agg as Strategy })}
        />
      </div>
      <Switch
        size="sm"
        mb={6}
        label="Single ratings"
        checked={choice.overlay}
        onChange={(event) => onChoose({ overlay: event.currentTarget.checked })}
      />
    </Group>
  );
}
