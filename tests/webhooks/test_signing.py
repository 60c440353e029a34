"""Signatures are those of the standard's own library."""

import pytest

from goldloop.webhooks.signing import SECRET_BYTES, secret_of, signature, signed_headers

ONE, OTHER = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
SHORT = ("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
LONG = (
    "0198c0de-0000-7000-8000-000000000001",
    1790000000,
    '{"type":"response.submitted","timestamp":"2026-11-18T00:00:00Z","data":{"name":"Zoë"}}'.encode(),
)


@pytest.mark.parametrize(
    ("secret", "message", "expected"),  # made by `standardwebhooks` 1.1.0
    [
        (ONE, SHORT, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
        (ONE, LONG, "v1,4ovspW0/T2mM56v8dXpINIErzHIRV+LqsUtqfK+7NGM="),
        (OTHER, SHORT, "v1,78nXHjpFP0tVJQW5D0SBwmVyyW87BV/rL6MgfM/Bw44="),
        (OTHER, LONG, "v1,GdPzrI0pxQxM7IK0oOG1ld6kj6av57uVVgbPi69UiTs="),
    ],
)
def test_a_signature_is_that_of_the_reference(
    secret: str, message: tuple[str, int, bytes], expected: str
) -> None:
    assert signature(secret, *message) == expected


def test_two_secrets_are_two_signatures_with_a_space_between() -> None:
    headers = signed_headers([ONE, OTHER], *SHORT)
    assert headers == {
        "webhook-id": SHORT[0],
        "webhook-timestamp": "1614265330",
        "webhook-signature": f"{signature(ONE, *SHORT)} {signature(OTHER, *SHORT)}",
    }


def test_a_secret_is_the_bytes_in_base64() -> None:
    assert secret_of(bytes(SECRET_BYTES)) == f"whsec_{'A' * 43}="
