import { NumberInput, Text } from "@mantine/core";
import { type Fault, messageAt, pointer } from "@/api/faults";
import { type ConfigDraft, LIMITS, LIMIT_RULE } from "../lib/config";
import classes from "./agents.module.css";

interface ConfigLimitsProps {
  limits: ConfigDraft["limits"];
  faults: readonly Fault[];
  onChange: (limits: ConfigDraft["limits"]) => void;
}

export function ConfigLimits({ limits, faults, onChange }: ConfigLimitsProps) {
  return (
    <>
      <Text size="xs" c="dimmed" mb="sm">
        What one run may use. A run that reaches a limit ends, and says which.
      </Text>
      <div className={classes.limits}>
        {LIMITS.map((limit) => {
          const { label, unit, usual } = LIMIT_RULE[limit];
          return (
            <NumberInput
              key={limit}
              label={label}
              description={unit}
              placeholder={usual?.toLocaleString("en") ?? "None"}
              thousandSeparator=","
              allowDecimal={limit === "cost"}
              allowNegative={false}
              hideControls
              inputMode={limit === "cost" ? "decimal" : "numeric"}
              value={limits[limit]}
              error={messageAt(faults, pointer("limits", limit))}
              onChange={(value) => onChange({ ...limits, [limit]: typeof value === "number" ? value : value === "" ? "" : Number(value) })}
            />
          );
        })}
      </div>
    </>
  );
}
