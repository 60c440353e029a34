"""What agents run with: model, instructions, tool groups, limits and runtime, in numbered versions.

In flow configurations that administrators (and, within limits, the review agent) write; each is a version that is kept and
can be restored. Out flows the version that a session runs with and names. Who an agent is and which keys it has is
`tenants/agents`; an agent that only runs elsewhere has an identity and no configuration.
"""
