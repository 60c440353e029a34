import { Anchor, Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ArtifactEvalSuite } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useArtifactEvalActions } from "../hooks/useArtifactEvals";
import classes from "./evals.module.css";

/** The way from what the checks say to what people say about the same dimensions. */
export function SuiteCriteria({ suite }: { suite: ArtifactEvalSuite }) {
  const canMake = useCan()("criteria_sets.team.manage");
  const { makeCriteriaSet } = useArtifactEvalActions(suite.slug);
  const setId = suite.criteria_set_id;
  if (!setId && !canMake) return null;
  return (
    <section className={classes.panel} aria-label="Ratings by people">
      <Text size="sm" mb={setId ? 0 : 8}>
        {setId ? "People rate the same dimensions with a " : "People can rate the same dimensions, on a scale from 1 to 5."}
        {setId && (
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => <Link to="/build/criteria-sets/$id" params={{ id: setId }} {...props} />}
          >
            criteria set
          </Anchor>
        )}
        {setId && "."}
      </Text>
      {!setId && (
        <Button
          variant="default"
          size="xs"
          loading={makeCriteriaSet.isPending}
          onClick={() =>
            makeCriteriaSet.mutate(undefined, {
              onSuccess: ({ name }) => notifyDone(`${name} was saved.`),
              onError: (error) => notifyProblem("The criteria set was not saved", error),
            })
          }
        >
          New criteria set
        </Button>
      )}
    </section>
  );
}
