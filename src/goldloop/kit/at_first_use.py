"""The single source of which packages are loaded when something of them is first used, and not by whoever imports the module
that names them: each costs a start or a command more than all of Goldloop's own parts of that size, and many processes never
need it. A module says `from goldloop.kit.at_first_use import np` and goes on as if it were imported. Infrastructure.

What is evaluated while a module is imported (a constant, the base of a class, an annotation) would load it at once: such a
module says `from __future__ import annotations`. `tests/cli/test_loaded.py` has what each command loads.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpcore as httpcore
    import httpx as httpx
    import jwt as jwt
    import numpy as np
    import obstore as obstore
    import obstore.exceptions
    import obstore.store
    import segno as segno
    from cryptography import exceptions as crypto_errors
    from cryptography.hazmat.primitives.ciphers import aead as aead
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Integers = NDArray[np.int64]
    Arrays = dict[str, NDArray[Any]]
else:

    class _Package(ModuleType):
        """Import takes a lock, so threads that are first together get the same."""

        def __getattr__(self, name: str) -> Any:
            package = import_module(self.__name__)
            try:
                value = getattr(package, name)
            except AttributeError:
                value = _part(self.__name__, name)
            setattr(self, name, value)
            return value

    def _part(package: str, name: str) -> ModuleType:
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as missing:
            raise AttributeError(f"{package} has no {name}") from missing

    httpcore, httpx, jwt, np, obstore, segno = map(
        _Package, ("httpcore", "httpx", "jwt", "numpy", "obstore", "segno")
    )
    crypto_errors = _Package("cryptography.exceptions")
    aead = _Package("cryptography.hazmat.primitives.ciphers.aead")
    Floats = Integers = Arrays = Any

__all__ = [
    "Arrays",
    "Floats",
    "Integers",
    "aead",
    "crypto_errors",
    "httpcore",
    "httpx",
    "jwt",
    "np",
    "obstore",
    "segno",
]
