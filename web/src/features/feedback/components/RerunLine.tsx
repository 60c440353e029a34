import { Alert, Anchor } from "@mantine/core";
import { UpdateIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { useFeedbackAbout } from "../hooks/useFeedback";
import { type Rerun, contextOf, rerunText } from "../lib/context";

interface RerunLineProps {
  rerun: Rerun;
  entityId: string;
}

/** What came of trying again: the session, the new response, or why there is none. */
export function RerunLine({ rerun, entityId }: RerunLineProps) {
  const { session_id, response_id, state } = rerun;
  const isBad = state === "not_started" || state === "failed";
  return (
    <Alert color={isBad ? "orange" : "blue"} py={6} mt="xs" role="note" icon={<UpdateIcon />}>
      {rerunText(rerun)}{" "}
      {response_id && (
        <Anchor
          size="sm"
          underline="always"
          mr={8}
          renderRoot={(props) => <Link to="/records/$id" params={{ id: entityId }} search={{ tab: "responses", response: response_id }} {...props} />}
        >
          New response
        </Anchor>
      )}
      {session_id && (
        <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/sessions/$id" params={{ id: session_id }} {...props} />}>
          Session
        </Anchor>
      )}
    </Alert>
  );
}

/** The same of a rejected response, for whoever may see what was said of it; nothing where nothing was tried. */
export function RerunOf({ responseId, entityId }: { responseId: string; entityId: string }) {
  const { rows = [] } = useFeedbackAbout({ response_id: responseId });
  const rerun = rows.map((row) => contextOf(row).rerun).find((each) => each !== undefined);
  return rerun ? <RerunLine rerun={rerun} entityId={entityId} /> : null;
}
