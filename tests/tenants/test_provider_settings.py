"""What the settings of a sign-in provider mean, and what its claims come to."""

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from goldloop.kit.settings import BadSetting, load_settings
from goldloop.tenants.identities.claims import display_name, wanted_roles
from goldloop.tenants.identities.following import Standing, Step, follow
from goldloop.tenants.identities.provider_settings import is_safe, read_providers
from goldloop.tenants.model import Role
from tests.tenants.providers import provider_of

CORP = {"GOLDLOOP_OIDC_CORP_ISSUER": "https://corp.test", "GOLDLOOP_OIDC_CORP_CLIENT_ID": "goldloop"}
HERE = UUID(int=1)
ME, NAMESAKE, ACCOUNT = UUID(int=2), UUID(int=3), UUID(int=4)


def test_several_providers_come_from_the_environment_and_the_file(tmp_path: Path) -> None:
    (tmp_path / "goldloop.toml").write_text(
        '[oidc.corp]\nissuer = "https://file.test"\ndomains = ["a.test", "b.test"]\nlink_by_email = true\n'
        '[oidc.home]\nissuer = "https://home.test"\nclient_id = "h"\nlabel = "At home"\n'
    )
    settings = load_settings(environment=CORP, folder=tmp_path)
    corp, home = read_providers(settings.oidc)
    assert (corp.name, corp.label, corp.issuer) == ("corp", "Corp", "https://corp.test")
    assert (corp.domains, corp.link_by_email) == (("a.test", "b.test"), True)
    assert (home.label, home.client_secret, home.roles) == ("At home", None, ())


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"GOLDLOOP_OIDC_CORP_ISSUER": ""}, "needs GOLDLOOP_OIDC_CORP_ISSUER"),
        ({"GOLDLOOP_OIDC_CORP_ISSUER": "http://corp.test"}, "https"),
        ({"GOLDLOOP_OIDC_CORP_ROLES": "staff=main"}, "value=workspace:role"),
        ({"GOLDLOOP_OIDC_CORP_ROLES": "staff=main:king"}, "value=workspace:role"),
        ({"GOLDLOOP_OIDC_CORP_ROLES": "*=main:viewer"}, "domains"),
        ({"GOLDLOOP_OIDC_CORP_LINK_BY_EMAIL": "yes"}, "domains"),
        ({"GOLDLOOP_OIDC_CORP_LINK_BY_EMAIL": "maybe"}, "yes or no"),
        ({"GOLDLOOP_OIDC_CORP_SCOPES": "email"}, "openid"),
        ({"GOLDLOOP_OIDC_CORP_SECRET": "x"}, "no setting of a sign-in provider"),
        ({"GOLDLOOP_OIDC_BIG_CORP_ISSUER": "https://x.test"}, "no setting of a sign-in provider"),
        ({"GOLDLOOP_PASSWORDS": "maybe"}, "on, off"),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused_by_name(
    tmp_path: Path, given: dict[str, str], fault: str
) -> None:
    with pytest.raises(BadSetting, match=fault):
        read_providers(load_settings(environment={**CORP, **given}, folder=tmp_path).oidc)


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://corp.test", True),
        ("https://corp.test/realms/a", True),
        ("http://127.0.0.1:8080/x", True),
        ("http://localhost", True),
        ("http://[::1]:1", True),
        ("http://127.0.0.1.evil.test", False),
        ("http://localhost.evil.test", False),
        ("http://127.0.0.1@evil.test", False),
        ("ftp://corp.test", False),
        ("", False),
    ],
)
def test_only_what_nobody_reads_along_is_safe(url: str, safe: bool) -> None:
    assert is_safe(url) == safe


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ({}, {"main": Role.VIEWER}),
        ({"groups": []}, {"main": Role.VIEWER}),
        ({"groups": ["staff"]}, {"main": Role.REVIEWER, "other": Role.VIEWER}),
        ({"groups": ["admins", "staff"]}, {"main": Role.ADMIN, "other": Role.VIEWER}),
        ({"groups": "staff"}, {"main": Role.REVIEWER, "other": Role.VIEWER}),
        ({"groups": {"staff": True}}, {"main": Role.VIEWER}),
        ({"groups": [1, None, ["staff"]]}, {"main": Role.VIEWER}),
        ({"groups": ["STAFF", "*"]}, {"main": Role.VIEWER}),
    ],
)
def test_the_highest_role_that_the_mapping_gives_counts(
    claims: dict[str, Any], expected: dict[str, Role]
) -> None:
    mapping = "admins=main:admin, staff=main:reviewer, staff=other:viewer, *=main:viewer"
    assert wanted_roles(claims, provider_of("https://corp.test", ROLES=mapping)) == expected


@pytest.mark.parametrize(
    ("name", "claims"),
    [
        ("realm_access.roles", {"realm_access": {"roles": ["staff"]}}),
        ("https://corp.test/roles", {"https://corp.test/roles": ["staff"]}),
    ],
)
def test_a_claim_is_found_by_its_name_or_its_path(name: str, claims: dict[str, Any]) -> None:
    provider = provider_of("https://corp.test", ROLES="staff=main:viewer", ROLES_CLAIM=name)
    assert wanted_roles(claims, provider) == {"main": Role.VIEWER}


@pytest.mark.parametrize(
    ("name", "shown"), [("Ada  Lovelace\n", "Ada Lovelace"), ("", "ada"), (None, "ada"), ("\u202eA", "ada")]
)
def test_a_name_is_one_line_and_falls_back_to_the_address(name: Any, shown: str) -> None:
    assert display_name({"name": name}, "ada@corp.test") == shown


def standing(
    user_id: UUID | None = None,
    role: Role | None = None,
    provider: str | None = None,
    namesake: UUID | None = None,
    namesake_account: UUID | None = None,
) -> Standing:
    return Standing("main", HERE, user_id, role, provider, namesake, namesake_account)


@pytest.mark.parametrize(
    ("now", "wanted", "step"),
    [
        (standing(), None, None),
        (standing(), Role.VIEWER, Step("join", Role.VIEWER)),
        (standing(namesake=NAMESAKE), Role.VIEWER, Step("join", Role.VIEWER)),
        (standing(namesake=NAMESAKE, namesake_account=ACCOUNT), Role.VIEWER, None),
        (standing(ME, Role.VIEWER, "corp"), Role.VIEWER, None),
        (standing(ME, Role.VIEWER, "corp"), Role.ADMIN, Step("change", Role.ADMIN)),
        (standing(ME, Role.ADMIN, "corp"), Role.VIEWER, Step("change", Role.VIEWER)),
        (standing(ME, Role.OWNER, "corp"), Role.VIEWER, Step("change", Role.VIEWER)),
        (standing(ME, Role.ADMIN, "corp"), None, Step("remove")),
        (standing(ME, Role.ADMIN), None, None),
        (standing(ME, Role.ADMIN), Role.VIEWER, Step("change", Role.VIEWER)),
        (standing(ME, Role.OWNER), Role.VIEWER, None),
    ],
)
def test_memberships_follow_claims(now: Standing, wanted: Role | None, step: Step | None) -> None:
    assert follow(now, wanted) == step
