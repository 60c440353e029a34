"""`pip install goldloop` is light: the client runs where nothing of the server is installed."""

import subprocess
import sys

from tests.servers import environment

PROGRAM = """
import sys

ALLOWED = {"goldloop", "httpx", "msgspec", "httpcore", "h11", "h2", "certifi", "idna", "anyio", "sniffio",
           "socksio", "typing_extensions", "exceptiongroup", "brotli", "brotlicffi", "zstandard", "click", "rich",
           "pygments", "chardet", "charset_normalizer", "trio", "outcome", "hpack", "hyperframe"}

class Wall:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in ALLOWED and top not in sys.stdlib_module_names:
            raise ImportError(f"{name} is not installed here")

sys.meta_path.insert(0, Wall())
import goldloop
import goldloop.client
client = goldloop.Client("http://127.0.0.1:1", "gl_x")
assert goldloop.AsyncClient is goldloop.client.AsyncClient
assert issubclass(goldloop.client.NotFound, goldloop.GoldloopError)
served = [n for n in sys.modules if n.startswith("goldloop.") and not n.startswith("goldloop.client")]
assert not served, served
client.close()
try:
    import litestar
except ImportError:
    print("ok")
"""


def test_the_client_needs_nothing_of_the_server() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment(), capture_output=True, text=True, timeout=60
    )
    assert (done.stdout.strip(), done.stderr) == ("ok", "")


def test_importing_the_package_imports_no_client() -> None:
    program = "import sys, goldloop; assert 'httpx' not in sys.modules; goldloop.__version__; goldloop.Client"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
