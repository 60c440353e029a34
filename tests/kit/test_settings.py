"""Settings: environment over file over default, each with its origin; a bad one is named."""

from pathlib import Path

import pytest

from goldloop.kit.settings import DEFAULTS, BadSetting, Settings, load_settings


def load(
    folder: Path, file: str | None = None, options: dict[str, str | None] | None = None, **env: str
) -> Settings:
    if file is not None:
        (folder / "goldloop.toml").write_text(file)
    return load_settings(options, environment=env, folder=folder)


def load_with(folder: Path, name: str, value: str) -> Settings:
    return load_settings(None, environment={name: value}, folder=folder)


def origin(settings: Settings, name: str) -> str:
    return next(s.origin for s in settings.origins if s.name == name)


def test_without_anything_every_setting_has_its_default(tmp_path: Path) -> None:
    settings = load(tmp_path)
    assert (settings.host, settings.port) == ("127.0.0.1", 8400)
    assert settings.data_dir == Path(".goldloop")
    assert settings.database_url is None
    assert {(s.name, s.value, s.origin) for s in settings.origins} == {
        (name, value, "default") for name, value in DEFAULTS.items()
    }


@pytest.mark.parametrize(
    ("file", "env", "options", "port", "comes_from"),
    [
        (None, {}, {}, 8400, "default"),
        ("port = 1", {}, {}, 1, "goldloop.toml"),
        ("port = 1", {"GOLDLOOP_PORT": "2"}, {}, 2, "environment"),
        ("port = 1", {"GOLDLOOP_PORT": "2"}, {"GOLDLOOP_PORT": "3"}, 3, "command line"),
        ("port = 1", {"GOLDLOOP_PORT": ""}, {}, 1, "goldloop.toml"),  # set to nothing is not set
        (None, {}, {"GOLDLOOP_PORT": None}, 8400, "default"),
        ('port = "1"', {}, {}, 1, "goldloop.toml"),
    ],
)
def test_options_win_over_environment_over_file_over_default(
    tmp_path: Path,
    file: str | None,
    env: dict[str, str],
    options: dict[str, str | None],
    port: int,
    comes_from: str,
) -> None:
    settings = load(tmp_path, file, options, **env)
    assert settings.port == port
    assert origin(settings, "GOLDLOOP_PORT").endswith(comes_from)


def test_the_direct_url_is_the_database_url_unless_given(tmp_path: Path) -> None:
    assert load(tmp_path, GOLDLOOP_DATABASE_URL="postgresql://pooled").direct_url == "postgresql://pooled"
    both = load(
        tmp_path, GOLDLOOP_DATABASE_URL="postgresql://pooled", GOLDLOOP_DIRECT_URL="postgresql://direct"
    )
    assert both.direct_url == "postgresql://direct"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GOLDLOOP_PORT", "http"),
        ("GOLDLOOP_PORT", "-1"),
        ("GOLDLOOP_PORT", "65536"),
        ("GOLDLOOP_PORT", "80.5"),
        ("GOLDLOOP_PROCESSES", "0"),
        ("GOLDLOOP_PROCESSES", "65"),
        ("GOLDLOOP_POOL_SIZE", "0"),
        ("GOLDLOOP_STATEMENT_CACHE", "-1"),
        ("GOLDLOOP_WORKER_CONCURRENCY", "0"),
        ("GOLDLOOP_MAX_BODY_BYTES", "1023"),
        ("GOLDLOOP_HEAD_SECONDS", "0"),
        ("GOLDLOOP_BODY_SECONDS", "soon"),
        ("GOLDLOOP_LOG_FORMAT", "xml"),
    ],
)
def test_a_bad_value_is_refused_with_its_name_value_and_origin(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(BadSetting) as refused:
        load_with(tmp_path, name, value)
    for part in (name, repr(value), "environment"):
        assert part in str(refused.value)


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("GOLDLOOP_PORT", "0", "65535"),
        ("GOLDLOOP_PROCESSES", "1", "64"),
        ("GOLDLOOP_POOL_SIZE", "1", "500"),
        ("GOLDLOOP_STATEMENT_CACHE", "0", "10000"),
    ],
)
def test_the_bounds_themselves_are_taken(tmp_path: Path, name: str, low: str, high: str) -> None:
    for value in (low, high):
        loaded = load_with(tmp_path, name, value)
        assert next(s.value for s in loaded.origins if s.name == name) == value


def test_a_bad_value_in_the_file_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"GOLDLOOP_PORT is 'many' \(.*goldloop\.toml\)"):
        load(tmp_path, 'port = "many"')


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("porte = 1\nprot = 2", "unknown settings: GOLDLOOP_PORTE, GOLDLOOP_PROT"),
        ("port = ", "not valid TOML"),
        ("[server]\nport = 1", "unknown settings: GOLDLOOP_SERVER"),
    ],
)
def test_a_file_that_cannot_be_meant_is_refused(tmp_path: Path, file: str, message: str) -> None:
    with pytest.raises(BadSetting, match=message):
        load(tmp_path, file)


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "goldloop.toml").write_bytes(b'host = "\xff"')
    with pytest.raises(BadSetting, match="not valid TOML"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ({}, "http://127.0.0.1:8400"),
        ({"GOLDLOOP_PORT": "9000"}, "http://127.0.0.1:9000"),
        ({"GOLDLOOP_HOST": "0.0.0.0"}, "http://127.0.0.1:8400"),
        ({"GOLDLOOP_HOST": "::"}, "http://127.0.0.1:8400"),
        ({"GOLDLOOP_HOST": "::1"}, "http://[::1]:8400"),
        ({"GOLDLOOP_HOST": "goldloop.internal"}, "http://goldloop.internal:8400"),
        ({"GOLDLOOP_PUBLIC_URL": "https://goldloop.example.com/"}, "https://goldloop.example.com"),
        (
            {"GOLDLOOP_PUBLIC_URL": "https://example.com/loop", "GOLDLOOP_PORT": "1"},
            "https://example.com/loop",
        ),
    ],
)
def test_where_the_server_is_reached_from_elsewhere(tmp_path: Path, given: dict[str, str], url: str) -> None:
    assert load(tmp_path, None, None, **given).public_url == url


def test_an_address_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="GOLDLOOP_PUBLIC_URL"):
        load_with(tmp_path, "GOLDLOOP_PUBLIC_URL", "goldloop.example.com")


@pytest.mark.parametrize(
    ("given", "hosts"),
    [("", ()), ("a.internal", ("a.internal",)), (" a , b:81 ,, ", ("a", "b:81"))],
)
def test_allowed_hosts_are_separated_by_commas(tmp_path: Path, given: str, hosts: tuple[str, ...]) -> None:
    assert load_with(tmp_path, "GOLDLOOP_ALLOWED_HOSTS", given).allowed_hosts == hosts


@pytest.mark.parametrize(
    ("given", "origins"),
    [
        ("", ()),
        ("https://chat.example.com", ("https://chat.example.com",)),
        (" http://localhost:3000 , https://a.b ", ("http://localhost:3000", "https://a.b")),
    ],
)
def test_allowed_origins_are_separated_by_commas(
    tmp_path: Path, given: str, origins: tuple[str, ...]
) -> None:
    assert load_with(tmp_path, "GOLDLOOP_ALLOWED_ORIGINS", given).allowed_origins == origins


@pytest.mark.parametrize("given", ["*", "chat.example.com", "https://chat.example.com/", "null"])
def test_what_no_browser_sends_as_an_origin_is_refused(tmp_path: Path, given: str) -> None:
    with pytest.raises(BadSetting, match="GOLDLOOP_ALLOWED_ORIGINS"):
        load_with(tmp_path, "GOLDLOOP_ALLOWED_ORIGINS", given)
