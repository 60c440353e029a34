"""Reads the secrets that a run needs. Infrastructure."""

from goldloop.agents.model import SecretName
from goldloop.agents.service import place_of
from goldloop.kit.outside import Outside
from goldloop.kit.sealing import CannotUnseal
from goldloop.runtimes.model import RunFailed, RunPlan


def unsealed(plan: RunPlan, outside: Outside, name: SecretName) -> str | None:
    sealed = plan.secrets.get(name)
    if sealed is None:
        return None
    assert plan.session.agent_id is not None
    try:
        return outside.sealer.unseal(sealed, place_of(plan.actor.tenant_id, plan.session.agent_id, name))
    except CannotUnseal as error:
        raise RunFailed("secret_unreadable", f"The agent's {name} cannot be read: set it anew") from error
