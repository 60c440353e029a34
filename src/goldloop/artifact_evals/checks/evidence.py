"""Can what an artifact says be traced to sources? Due when it is published, not while it is a draft. Pure."""

from collections.abc import Collection

from goldloop.artifact_evals.model import Check, CheckResult, KnowledgeArtifact
from goldloop.artifact_evals.values import is_citable, is_filled, named, numbered, shown


def require_evidence_refs(
    *fields: str,
    minimum: int = 1,
    draft_statuses: Collection[str] = (),
    finalized_statuses: Collection[str] = (),
) -> Check:
    """At least `minimum` different sources in `fields` that somebody can look up.

    A draft with fewer passes without a score, for they are not due yet. In every other status they are due, also in one
    that is named nowhere: only a status that says it is a draft is taken for one.
    """
    drafts, finalized = frozenset(draft_statuses), frozenset(finalized_statuses)
    if minimum < 1 or not fields:
        raise ValueError(
            "require_evidence_refs needs the fields that hold sources, and a minimum of 1 or more"
        )
    if both := drafts & finalized:
        raise ValueError(f"{', '.join(sorted(both))} cannot be a draft status and a finalized one")
    where = named(fields)

    def run(artifact: KnowledgeArtifact) -> CheckResult:
        sources = {
            ref.source.strip().casefold(): ref.source
            for ref in artifact.evidence_refs
            if ref.field in fields and is_citable(ref.source)
        }
        found, status = len(sources), artifact.status
        if found >= minimum:
            first = next(iter(sources.values()))
            return CheckResult(
                True, 1.0, f"{where} cites {numbered(found, 'source')}, first {shown(first)}", fields
            )
        if status in drafts:
            return CheckResult(
                True,
                None,
                f"{where} cites {found} of {numbered(minimum, 'source')}, not due while {status}",
                fields,
            )
        due = (
            f"it is {status}" if status in finalized else f"its status is {shown(status)}, which is no draft"
        )
        finding = f"{where} cites {found} of {numbered(minimum, 'source')}, and {due}"
        return CheckResult(False, found / minimum, f"{finding}{_useless(artifact, fields)}", fields)

    return Check(name="require_evidence_refs", run=run, fields=fields)


def _useless(artifact: KnowledgeArtifact, fields: tuple[str, ...]) -> str:
    """The first entry that does not count, for whoever wonders why."""
    for ref in artifact.evidence_refs:
        if ref.field in fields and not is_citable(ref.source):
            if is_filled(ref.source):
                return f"; {shown(ref.source)} is nothing that can be looked up"
            return "; an entry names no source"
    return ""
