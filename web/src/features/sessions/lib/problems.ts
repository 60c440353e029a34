/** Why a session failed, in words, and what to do about it. Pure. */
export interface Advice {
  title: string;
  advice: string;
  /** The agent's configuration is where it is mended. */
  isAboutAgent: boolean;
}

const LIMIT = "Look at its last steps: an agent that goes in circles will reach any limit. If it needed more, raise the limit in the agent's configuration and run it again.";

function limit(what: string): Advice {
  return { title: `It reached its limit of ${what}`, advice: LIMIT, isAboutAgent: true };
}

const ADVICE: Readonly<Record<string, Advice>> = {
  no_model: {
    title: "No model is set",
    advice: "Set GOLDLOOP_MODEL where the server is started, or choose a model in the agent's configuration, then run it again.",
    isAboutAgent: true,
  },
  model_failed: {
    title: "The model's provider answered with an error",
    advice: "Check the model's name, its address and the key in the agent's configuration. If the provider is busy, run it again later.",
    isAboutAgent: true,
  },
  limit_requests: limit("model requests"),
  limit_tool_calls: limit("tool calls"),
  limit_tokens: limit("tokens"),
  limit_seconds: limit("time"),
  limit_cost: limit("cost"),
  agent_failed: {
    title: "The agent ended with an error",
    advice: "The message below is the agent's own. Its last step shows what it was doing.",
    isAboutAgent: false,
  },
  agent_unreachable: {
    title: "The agent could not be reached",
    advice: "Check that it runs, and that the address in its configuration is right.",
    isAboutAgent: true,
  },
  agent_timed_out: {
    title: "The agent did not answer in time",
    advice: "It said nothing until its time was over. Check that it runs, or raise its limit of seconds.",
    isAboutAgent: true,
  },
  agent_answer_unreadable: {
    title: "The agent's answer could not be read",
    advice: "It answered, but not as an agent called over HTTP must. What it sent is in its last events.",
    isAboutAgent: false,
  },
  host_not_allowed: {
    title: "The agent's address is not allowed",
    advice: "It is in a private network. Whoever runs this installation can allow the host.",
    isAboutAgent: true,
  },
  invalid_url: {
    title: "The agent's address is none",
    advice: "Nothing can be called at what is written there. Set the address in its configuration anew.",
    isAboutAgent: true,
  },
  bad_output: {
    title: "The result was not of the right kind",
    advice: "The agent ended without the values it was asked for. Say more clearly in its instructions what they are.",
    isAboutAgent: true,
  },
  secret_unreadable: {
    title: "A secret of the agent cannot be read",
    advice: "The installation's key has changed since it was set. Set it anew in the agent's configuration.",
    isAboutAgent: true,
  },
  internal_error: {
    title: "Something failed that nobody expected",
    advice: "The server's log has the details. Tell whoever runs this installation, or run it again.",
    isAboutAgent: false,
  },
  job_ended: {
    title: "The work on it was broken off",
    advice: "The job behind it ended before it did. Run it again.",
    isAboutAgent: false,
  },
};

export function adviceFor(code: string): Advice {
  if (Object.hasOwn(ADVICE, code)) return ADVICE[code] as Advice;
  return { title: "It failed", advice: "Whoever ran it told this. Its last steps show what it was doing.", isAboutAgent: false };
}
