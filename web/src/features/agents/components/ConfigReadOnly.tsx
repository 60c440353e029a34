import type { AgentConfig } from "@/api/types";
import { rowsOf } from "../lib/versionDiff";
import { AgentSection } from "./AgentSection";
import classes from "./agents.module.css";

/** A configuration for those who may not change it. */
export function ConfigReadOnly({ config }: { config: AgentConfig }) {
  return (
    <div className={classes.column}>
      <AgentSection title="Instructions">
        <pre className={classes.whole}>{config.instructions || "None."}</pre>
      </AgentSection>
      <AgentSection title="Runs with">
        <dl className={classes.facts}>
          {rowsOf(config).map(([label, value]) => (
            <Fact key={label} label={label} value={value} />
          ))}
        </dl>
      </AgentSection>
    </div>
  );
}

function Fact({ label, value }: { label: string; value: string | null }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value ?? "–"}</dd>
    </>
  );
}
