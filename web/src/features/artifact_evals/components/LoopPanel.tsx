import { Badge, Group, Text, Title, VisuallyHidden } from "@mantine/core";
import { CheckCircledIcon, CrossCircledIcon } from "@radix-ui/react-icons";
import type { LoopReport } from "@/api/types";
import { Loaded } from "@/ui/Loaded";
import { useArtifactEvalLoop } from "../hooks/useArtifactEvals";
import { Reason } from "./Reason";
import classes from "./evals.module.css";

const STEP_LABEL: Record<LoopReport["steps"][number]["step"], string> = {
  records: "Records",
  evidence: "Evidence",
  lifecycle: "Lifecycle",
  review: "Review gate",
  surfaces: "Surfaces",
};

/** Whether the loop that makes the records closes. */
export function LoopPanel({ suite }: { suite: string }) {
  const query = useArtifactEvalLoop(suite);
  return (
    <section className={classes.panel} aria-labelledby="loop">
      <Loaded query={query} what="the loop">
        {(loop) => <Loop loop={loop} />}
      </Loaded>
    </section>
  );
}

function Loop({ loop }: { loop: LoopReport }) {
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={2} id="loop">
          Loop
        </Title>
        <Badge color={loop.closed ? "green" : "orange"}>
          {loop.closed ? "Closes" : `${Math.round(loop.score * 100)} % closed`}
        </Badge>
      </Group>
      <ul className={classes.steps}>
        {loop.steps.map(({ step, passed, reason }) => (
          <li key={step} className={classes.step}>
            <span className={classes.mark} data-passed={passed}>
              {passed ? <CheckCircledIcon aria-hidden /> : <CrossCircledIcon aria-hidden />}
              <VisuallyHidden>{passed ? "Holds:" : "Does not hold:"}</VisuallyHidden>
            </span>
            <div>
              <Text size="sm" fw={550}>
                {STEP_LABEL[step]}
              </Text>
              <Text size="xs" c="dimmed">
                <Reason text={reason} />
              </Text>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
