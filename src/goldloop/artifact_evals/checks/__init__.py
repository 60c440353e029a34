"""The reusable checks, one file each. A check is made once, with the names of your fields, and run on any artifact.

In flow artifacts, out flow verdicts: passed or not, a score from 0 to 1, and a reason that names the field or source.
"""

from goldloop.artifact_evals.checks.actionable import require_actionable_payload
from goldloop.artifact_evals.checks.evidence import require_evidence_refs
from goldloop.artifact_evals.checks.fields import require_fields
from goldloop.artifact_evals.checks.renderable import RenderabilityProbe, require_renderable
from goldloop.artifact_evals.checks.safety import require_safety_label
from goldloop.artifact_evals.checks.tenant import assert_tenant_scope

__all__ = [
    "RenderabilityProbe",
    "assert_tenant_scope",
    "require_actionable_payload",
    "require_evidence_refs",
    "require_fields",
    "require_renderable",
    "require_safety_label",
]
