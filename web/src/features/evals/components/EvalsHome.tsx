import { Text } from "@mantine/core";
import type { EvalsSearch } from "../lib/search";
import { Candidates } from "./Candidates";
import { GoldenManager } from "./GoldenManager";
import classes from "./evals.module.css";

interface EvalsHomeProps {
  search: EvalsSearch;
  onChange: (part: Partial<EvalsSearch>) => void;
}

/** What goldens are, what might become one, and those that there are. */
export function EvalsHome({ search, onChange }: EvalsHomeProps) {
  return (
    <>
      <Text size="sm" className={classes.intro}>
        A golden is a session that went as it should. What it began with is frozen, so that it can be replayed with another version of an agent, and what the
        replay changes and says is compared. Promote one from the page of a session, or from the candidates below.
      </Text>
      <Candidates set={search.set} />
      <GoldenManager chosen={search.set} onChoose={(set) => onChange({ set })} />
    </>
  );
}
