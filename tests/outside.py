"""What the tests' servers and workers have beside the database: a folder, and what is inside the package."""

from pathlib import Path

from goldloop.conversations.gate.embedded import EmbeddedDetector
from goldloop.conversations.gate.model import DETECTOR
from goldloop.kit.blobs import BlobStore
from goldloop.kit.egress import Egress
from goldloop.kit.embedding import EmbeddedEncoder
from goldloop.kit.outside import Outside
from goldloop.kit.sealing import Sealer
from goldloop.kit.signed_tokens import Signer
from goldloop.runtimes.language_models import LanguageModels
from goldloop.runtimes.model import MODELS
from goldloop.tenants.identities.providers import PROVIDERS, Providers
from goldloop.tenants.sign_in.model import PASSWORDS


def embedded_outside(folder: Path) -> Outside:
    egress = Egress()
    return Outside(
        blobs=BlobStore(str(folder)),
        embedder=EmbeddedEncoder(),
        model=None,
        sealer=Sealer(b"a secret of the tests"),
        signer=Signer(b"a secret of the tests"),
        egress=egress,
        public_url="http://goldloop.test",
        ports={
            DETECTOR: EmbeddedDetector(),
            MODELS: LanguageModels(None, egress),
            PASSWORDS: True,
            PROVIDERS: Providers([], "http://goldloop.test"),
        },
    )
