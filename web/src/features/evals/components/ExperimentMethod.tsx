import { List, Text } from "@mantine/core";
import type { ExperimentDetail } from "@/api/types";
import classes from "./evals.module.css";

/** For whoever doubts it: what was randomised, how the figure is made, how often it errs, and what it does not say. */
export function ExperimentMethod({ experiment: { design, rows, agent, model, reused } }: { experiment: ExperimentDetail }) {
  return (
    <details className={classes.method}>
      <summary>How this was measured, and what it does not say</summary>
      <div className={classes.methodBody}>
        {design === "halves" && (
          <>
            <Text size="sm">
              <b>What was drawn.</b> Each row is in a random half of the replays of each golden to which it applies, drawn for each row by itself. Rows that are not
              measured stay as prompts have them. So every replay says something about every row, and whoever reads the figures chose none of them.
            </Text>
            <Text size="sm">
              <b>How the figure is made.</b> Least squares of the outcome (1 passed, 0 failed) on which rows were there, with a level of its own for each golden and each run
              that made replays: only replays of the same golden in the same run are compared. Errors are those of outcomes that need not vary alike; the interval is that of t,
              95%. Replays whose infrastructure failed count for nothing. Those that asked for what no recording answers are lost: the figure is reckoned without them and with
              them as failures, and the more cautious counts. Where more than a fifth of a side is lost, or it depends on them whether a row helps or harms, there is no figure.
            </Text>
            <Text size="sm">
              <b>How often it errs.</b> p values are two-sided and adjusted for {rows === 1 ? "one row" : `${rows} rows`} by Holm: the chance that any useless row is flagged is
              at most 5%, for the first look. {reused > 0 && "This is a later one: replays of earlier experiments count in it, and whoever looks again and again finds something in the end. "}A
              flagged row is therefore then replayed by itself, and only that says that it helps or harms.
            </Text>
          </>
        )}
        <Text size="sm">
          <b>Pairs.</b> A golden is replayed with the row and without it, beside all that prompts hold now. Only pairs that differ say anything. Their evidence is an e-value: for
          a row that does nothing it is 1 on average after any number of pairs, and it ever comes to 20 with a chance of at most 1 in 20. So one may look at any time and stop when
          one likes. Goldens that the row was learnt from show whether it mends what it claims to, the others whether it breaks anything.
        </Text>
        <Text size="sm" fw={600}>
          What the figures do not say
        </Text>
        <List size="sm" spacing={4}>
          <List.Item>
            They are about these goldens, {agent.slug} in version {agent.version}
            {model ? ` and ${model}` : ""}. When one of them changes, they are old, and are shown so.
          </List.Item>
          {design === "halves" && (
            <List.Item>
              A row is measured beside a random half of the others, not alone and not beside all of them. Two rows that say the same are each worth little here.
            </List.Item>
          )}
          <List.Item>Where a golden passes always or never, a row has no room to show what it is worth: 20 points may be measured as 16.</List.Item>
          <List.Item>No effect found is not no effect. Before a start, the dialog says which effect would be found.</List.Item>
          <List.Item>Never applied, and not drawn, is not 0: nothing was compared.</List.Item>
          <List.Item>What harm is ruled out is reckoned by goldens, not by replays: many replays of few goldens say little about others.</List.Item>
        </List>
        <Text size="sm" c="dimmed">
          Formulas, simulations and how often each errs are in the documentation, <code>docs/evidence.md</code>.
        </Text>
      </div>
    </details>
  );
}
