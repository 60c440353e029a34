"""Identity and access: workspaces, people, agents, API keys, roles and permissions.

In flow secrets (a password, a session cookie, an API key); out flows an `Actor` that every
transaction carries.
"""

ORDER = (
    "parties",
    "auth",
    "agents",
    "keys",
    "members",
    "second_factors",
    "sign_in",
    "identities",
    "accounts",
    "workspaces",
    "settings",
)
