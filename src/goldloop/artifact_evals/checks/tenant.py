"""Does everything in an artifact belong to the workspace that the artifact belongs to? Pure."""

from goldloop.artifact_evals.model import Check, CheckResult, KnowledgeArtifact
from goldloop.artifact_evals.values import shown

TENANT = ("tenant",)


def assert_tenant_scope(tenant: str | None = None) -> Check:
    """It names its workspace, and no source and no linked record lives in another one. All or nothing.

    With `tenant` it must be that workspace. Without, any: the same rubric then serves every workspace.
    """

    def run(artifact: KnowledgeArtifact) -> CheckResult:
        home = artifact.tenant
        if not isinstance(home, str) or not home:
            return CheckResult(False, 0.0, f"`tenant` is {shown(home)}: it belongs to no workspace", TENANT)
        if tenant is not None and home != tenant:
            return CheckResult(False, 0.0, f"`tenant` is {shown(home)}, not {shown(tenant)}", TENANT)
        foreign = [ref for ref in artifact.evidence_refs if ref.tenant is not None and ref.tenant != home]
        linked = [ref for ref in artifact.references if ref.tenant is not None and ref.tenant != home]
        if not foreign and not linked:
            return CheckResult(True, 1.0, f"every source and link is of `{home}` or public", TENANT)
        leaks = [(ref.field, ref.source, ref.tenant) for ref in foreign]
        leaks += [(ref.field, ref.id, ref.tenant) for ref in linked]
        field, what, where = leaks[0]
        more = f" (and {len(leaks) - 1} more)" if len(leaks) > 1 else ""
        reason = f"`{field}` points to {shown(what)} in workspace {shown(where)}, but it belongs to {shown(home)}{more}"
        return CheckResult(False, 0.0, reason, tuple(dict.fromkeys(str(field) for field, _, _ in leaks)))

    return Check(name="assert_tenant_scope", run=run)
