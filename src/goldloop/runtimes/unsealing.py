"""Reads the secrets that a run needs. Infrastructure."""

from contextlib import suppress

from goldloop.agents.model import SecretName
from goldloop.agents.service import place_of
from goldloop.kit.outside import Outside
from goldloop.kit.sealing import CannotUnseal
from goldloop.runtimes.model import ClaimedRun, RunFailed, RunPlan


def unsealed(plan: RunPlan, outside: Outside, name: SecretName) -> str | None:
    try:
        return _unseal(plan, outside, name)
    except CannotUnseal as error:
        raise RunFailed("secret_unreadable", f"The agent's {name} cannot be read: set it anew") from error


def readable_secrets(run: ClaimedRun, outside: Outside) -> list[str]:
    """What nobody may read in what a run leaves behind. One that cannot be read is sent nowhere either."""
    found: list[str] = []
    for name in run.secrets:
        with suppress(CannotUnseal):
            found += filter(None, [_unseal(run, outside, name)])
    return found


def _unseal(run: ClaimedRun, outside: Outside, name: SecretName) -> str | None:
    sealed = run.secrets.get(name)
    if sealed is None:
        return None
    assert run.session.agent_id is not None
    return outside.sealer.unseal(sealed, place_of(run.actor.tenant_id, run.session.agent_id, name))
