import subprocess
import sys

import pytest

from goldloop.kit.at_first_use import jwt, obstore
from tests.servers import environment

PROGRAM = """
import sys
from goldloop.kit.at_first_use import np
before = "numpy" in sys.modules
np.zeros(1)
print(before, "numpy" in sys.modules, np.linalg is sys.modules["numpy.linalg"])
"""


def test_a_package_is_loaded_with_its_first_use_and_not_before() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "True", "True"]


def test_parts_of_a_package_are_found() -> None:
    import obstore.exceptions as real

    assert obstore.exceptions.BaseError is real.BaseError


def test_what_a_package_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="jwt has no nothing"):
        jwt.nothing  # type: ignore[attr-defined]  # noqa: B018
