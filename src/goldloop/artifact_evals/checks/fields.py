"""Are the fields filled in that an artifact cannot do without? Pure."""

from goldloop.artifact_evals.model import Check, CheckResult, KnowledgeArtifact
from goldloop.artifact_evals.values import find_value, is_filled, named, split_path


def require_fields(*names: str) -> Check:
    """Every field has a value that says something; a placeholder such as `TBD` does not. `a.b` is a field of an object."""
    if not names:
        raise ValueError("require_fields needs the name of a field")
    plain = tuple(name for name in names if split_path(name) is None)
    dotted = tuple((name, path) for name in names if (path := split_path(name)))
    full = CheckResult(True, 1.0, f"{named(names)} {'is' if len(names) == 1 else 'are'} filled in", names)

    def run(artifact: KnowledgeArtifact) -> CheckResult:
        fields = artifact.fields
        missing = [name for name in plain if not is_filled(fields.get(name))]
        missing += [name for name, path in dotted if not is_filled(find_value(fields, name, path))]
        if not missing:
            return full
        return CheckResult(
            False,
            (len(names) - len(missing)) / len(names),
            f"{named(missing)} {'is' if len(missing) == 1 else 'are'} empty or only a placeholder",
            tuple(missing),
        )

    return Check(name="require_fields", run=run, fields=names)
