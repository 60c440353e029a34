"""Makes the language model that an agent is configured with. Infrastructure.

Without a model of its own an agent has the installation's. A model at an address of a workspace's choice never gets the
installation's keys, and is called only where the installation allows the host.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from goldloop.agents.model import AgentConfig
from goldloop.kit.egress import Egress, HostNotAllowed, NotAUrl
from goldloop.runtimes.model import RunFailed
from goldloop.runtimes.scripted_models import PROVIDER, scripted_model

NO_MODEL = (
    "No language model is configured: give the agent one (model, and its key as the secret model_key), or set "
    "GOLDLOOP_MODEL for the installation"
)
NO_KEY = "none"  # what a server that wants no key is sent instead of the installation's


class LanguageModels:
    def __init__(self, default: str | None, egress: Egress) -> None:
        self._default = default
        self._egress = egress

    @asynccontextmanager
    async def __call__(self, config: AgentConfig, key: str | None) -> AsyncIterator[Any]:
        async with AsyncExitStack() as opened:
            yield await self._make(config, key, opened)

    async def _make(self, config: AgentConfig, key: str | None, opened: AsyncExitStack) -> Any:
        """The model; what is to be closed after it is left to `opened`."""
        from pydantic_ai.exceptions import UserError
        from pydantic_ai.models import infer_model
        from pydantic_ai.providers import Provider, infer_provider, infer_provider_class

        name = config.model or self._default
        if name is None:
            raise RunFailed("no_model", NO_MODEL)

        provider, _, model = name.partition(":")
        if provider == PROVIDER:
            if (scripted := scripted_model(model)) is None:
                raise RunFailed("no_model", f"There is no script {model}")
            return scripted
        if config.base_url is not None:
            try:
                await self._egress.check(config.base_url)
            except HostNotAllowed as error:
                raise RunFailed("host_not_allowed", str(error)) from error
            except NotAUrl as error:
                raise RunFailed("invalid_url", str(error)) from error

        def provider_of(provider: str) -> Provider[Any]:
            if key is None and config.base_url is None:
                return infer_provider(provider)
            given: dict[str, Any] = {"api_key": key or NO_KEY}
            if config.base_url is not None:
                client = self._egress.model_client(given["api_key"])
                opened.push_async_callback(client.aclose)
                given |= {"base_url": config.base_url, "http_client": client}
            return infer_provider_class(provider)(**given)

        try:
            found = infer_model(_spelled(name, config.base_url), provider_of)
        except (UserError, ImportError, TypeError, ValueError) as error:
            raise RunFailed("no_model", f"The model {name} cannot be used: {error}"[:2000]) from error
        return await opened.enter_async_context(found)  # closes what its library has opened


def _spelled(name: str, base_url: str | None) -> str:
    """Servers that speak like OpenAI speak chat completions, not its newer interface."""
    provider, _, model = name.partition(":")
    return f"openai-chat:{model}" if provider == "openai" and base_url else name
