"""Makes what a process has beside the database, from its settings. A composition root."""

from goldloop.conversations.gate.embedded import EmbeddedDetector
from goldloop.conversations.gate.model import DETECTOR, Detector
from goldloop.kit.blobs import BlobStore
from goldloop.kit.egress import Egress
from goldloop.kit.embedding import EmbeddedEncoder, embedder_of
from goldloop.kit.outside import Outside
from goldloop.kit.sealing import Sealer
from goldloop.kit.settings import Settings
from goldloop.kit.signed_tokens import Signer
from goldloop.runtimes.language_models import LanguageModels
from goldloop.runtimes.model import MODELS
from goldloop.tenants.identities.provider_settings import read_providers
from goldloop.tenants.identities.providers import PROVIDERS, Providers
from goldloop.tenants.sign_in.model import PASSWORDS


def outside_of(settings: Settings, secret: bytes) -> Outside:
    """`secret` is the installation's."""
    egress = Egress(settings.allowed_hosts)
    EmbeddedEncoder.folder = settings.data_dir / "encoder"
    return Outside(
        blobs=blobs_of(settings),
        embedder=embedder_of(settings),
        model=settings.model,
        sealer=Sealer(secret),
        signer=Signer(secret),
        egress=egress,
        public_url=settings.public_url,
        ports={
            DETECTOR: detector_of(settings.model),
            MODELS: LanguageModels(settings.model, egress),
            PASSWORDS: settings.passwords,
            PROVIDERS: Providers(read_providers(settings.oidc), settings.public_url),
        },
    )


def blobs_of(settings: Settings) -> BlobStore:
    """For commands that need nothing else."""
    return BlobStore(settings.blob_url)


def detector_of(model: str | None) -> Detector:
    """GOLDLOOP_MODEL's, or the embedded one without it."""
    if not model:
        return EmbeddedDetector()
    # Loading what asks a model takes as long as the rest of a start: only who has one pays for it.
    from goldloop.conversations.gate.llm import LlmDetector

    return LlmDetector(model)
