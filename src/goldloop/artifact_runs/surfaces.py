"""Which surfaces are real in a workspace: the pages of the UI, and what its concepts list (views, entity types). Pure."""

from collections.abc import Mapping

from goldloop.artifact_evals.surfaces import SurfaceResolvers

# Every address of the UI that needs no id. `cases/pages.json` has the same list, which vitest holds against the router.
PAGES = frozenset(
    {
        "/",
        "/admin/agent-review",
        "/admin/agent-review/conversations",
        "/admin/agent-review/conversations/satisfaction",
        "/admin/agent-review/conversations/unclear",
        "/admin/agent-review/evals",
        "/admin/agent-review/evals/judges",
        "/admin/agent-review/evals/labelling",
        "/admin/agent-review/feedback",
        "/admin/agent-review/feedback/all",
        "/admin/agent-review/feedback/import",
        "/admin/agent-review/feedback/quality",
        "/admin/agent-review/feedback/single",
        "/admin/agent-review/feedback/trends",
        "/admin/agent-review/knowledge",
        "/admin/agent-review/knowledge/prompt",
        "/admin/agent-review/knowledge/review",
        "/admin/agent-review/sessions",
        "/artifact-evals",
        "/build",
        "/build/criteria-sets",
        "/build/criteria-sets/new",
        "/build/types",
        "/build/views",
        "/chain",
        "/chain/retractions",
        "/records/import",
        "/settings/audit",
        "/settings/deleting",
        "/settings/export",
        "/settings/limits",
        "/settings/webhooks",
        "/knowledge-evals",  # what artifact evals were called: it leads there
        "/records",
        "/sessions",  # it leads to Tasks; a session's own page stays
        "/settings",
        "/settings/account",
        "/settings/agents",
        "/settings/agents/connect",
        "/settings/agents/sources",
        "/settings/criteria-sets",  # it leads to Build, as types and views do
        "/settings/criteria-sets/new",
        "/settings/jobs",
        "/settings/keys",
        "/settings/members",
        "/settings/types",
        "/settings/views",
        "/settings/workspace",
        "/tasks",
        "/tasks/review",
    }
)


KnownSurfaces = Mapping[str, frozenset[str]]  # what there is in a workspace, by kind of surface


def resolvers(known: KnownSurfaces) -> SurfaceResolvers:
    """`page:/records?type=x`, `view:care-plans`, `entity-list:pf_idea`."""
    listed = {kind: keys.__contains__ for kind, keys in known.items()}
    return {"page": lambda key: key.partition("?")[0] in PAGES, **listed}
