import { Alert, Code } from "@mantine/core";
import { ExclamationTriangleIcon } from "@radix-ui/react-icons";

/** There is no model that the agent could run on, and what to set. */
export function NoModel() {
  return (
    <Alert color="orange" icon={<ExclamationTriangleIcon />} title="No model is configured" mb="md">
      This agent names no model, and the installation has none: a run would end with <Code>no_model</Code>. Name one
      under <b>Where it runs</b> as <Code>provider:name</Code> and set its key under <b>Secrets</b>, or start the server
      with <Code>GOLDLOOP_MODEL</Code> for all agents.
    </Alert>
  );
}
