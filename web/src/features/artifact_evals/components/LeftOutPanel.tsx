import { Button, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ArtifactEvalSuite } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { DIMENSION_LOOK } from "../lib/dimensions";
import { LeaveOutDialog } from "./LeaveOutDialog";
import classes from "./evals.module.css";

/** Which dimensions do not count from the next run on, and why; for those who may, the way to change that. */
export function LeftOutPanel({ suite }: { suite: ArtifactEvalSuite }) {
  const [opened, dialog] = useDisclosure(false);
  const canManage = useCan()("artifact_evals.team.manage");
  if (!canManage && suite.left_out.length === 0) return null;
  return (
    <section className={classes.panel} aria-labelledby="left-out">
      <Title order={2} id="left-out" mb={6}>
        Left out
      </Title>
      {suite.left_out.length === 0 ? (
        <Text size="sm" c="dimmed">
          All six dimensions count.
        </Text>
      ) : (
        <ul className={classes.steps} aria-labelledby="left-out">
          {suite.left_out.map(({ dimension, reason, declared_by }) => (
            <li key={dimension}>
              <Text size="sm" fw={550}>
                {DIMENSION_LOOK[dimension].label}
              </Text>
              <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                {reason}
                {declared_by === "suite" && " (so says the suite itself)"}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {canManage && (
        <Button variant="default" size="xs" mt="sm" onClick={dialog.open}>
          Leave dimensions out
        </Button>
      )}
      <LeaveOutDialog suite={suite} opened={opened} onClose={dialog.close} />
    </section>
  );
}
