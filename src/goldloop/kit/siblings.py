"""The processes of one server, which tell each other their metrics: whoever is asked answers for all. Infrastructure.

Each listens on a socket in a folder that is open to the server's own account alone.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger("goldloop")

PATIENCE_SECONDS = 3.0  # one that computes, or is being replaced, is left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Siblings:
    """`own` is the name of this process among `names`."""

    folder: Path
    own: str
    names: tuple[str, ...]

    async def answer(self, expose: Callable[[], Awaitable[bytes]]) -> None:
        """To whoever asks, until cancelled."""

        async def reply(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                writer.write(await expose())
                await writer.drain()
            except Exception as error:  # whoever asked has the others' metrics all the same
                log.warning("metrics could not be told: %s", error)
            finally:
                writer.close()

        place = self._place(self.own)
        place.unlink(missing_ok=True)  # of one that this one replaces
        async with await asyncio.start_unix_server(reply, place) as server:
            await server.serve_forever()

    async def ask(self) -> dict[str, bytes]:
        """What the others say, by their names; without those that do not answer."""
        others = [name for name in self.names if name != self.own]
        answers = await asyncio.gather(*map(self._ask, others))
        return {name: answer for name, answer in zip(others, answers, strict=True) if answer}

    async def _ask(self, name: str) -> bytes:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                reader, writer = await asyncio.open_unix_connection(self._place(name))
                try:
                    return await reader.read()
                finally:
                    writer.close()
        except (OSError, TimeoutError) as error:
            log.warning("metrics of %s are left out: %s", name, error or "it does not answer")
            return b""

    def _place(self, name: str) -> Path:
        return self.folder / name
