"""Which names in the metadata of a row are the server's: it decides by what is kept there, so no client writes it. Pure."""

from typing import Any

from goldloop.kit.errors import Fault, InvalidInput

SERVERS = ("method", "waits_for", "conflicts_with", "retirement", "evidence")


def check_metadata(metadata: dict[str, Any]) -> None:
    """Raises where a client uses a name that is the server's."""
    message = "The server keeps something by this name"
    named = [name for name in SERVERS if name in metadata]
    if named:
        raise InvalidInput(
            message,
            errors=[Fault(path=f"/metadata/{name}", code="reserved", message=message) for name in named],
        )


def of_client(metadata: dict[str, Any]) -> dict[str, Any]:
    """Without what checks and later calls add."""
    return {name: value for name, value in metadata.items() if name not in SERVERS}
