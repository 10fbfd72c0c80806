"""CLIP-L as an image feature, through transformers or open_clip, with weights that are already on this machine.

Neither package nor weights are dependencies, and nothing is downloaded: `JAXPHYS_CLIP_L` may name the folder of a
transformers model or the file of an open_clip checkpoint; unset, the cache of Hugging Face is looked at.
"""

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

WEIGHTS = "JAXPHYS_CLIP_L"
"""Environment variable."""

TRANSFORMERS_MODEL = "openai/clip-vit-large-patch14"
OPEN_CLIP_MODEL = "ViT-L-14-quickgelu"
OPEN_CLIP_CACHED = ("timm/vit_large_patch14_clip_224.openai", "open_clip_model.safetensors")
BATCH = 32
"""Pictures encoded at once."""

Encode = Callable[[np.ndarray], np.ndarray]
"""uint8 (n, h, w, 3) -> float (n, d)."""


class ClipL:
    """Image embeddings of CLIP ViT-L/14 (arXiv:2103.00020), 768 numbers.

    Raises:
        ValueError: no package or no weights; the text says what was looked for.
    """

    name = "clip_l"

    def __init__(self) -> None:
        missing = []
        for package, load in LOADERS.items():
            if find_spec(package) is None:
                missing.append(f"{package} is not installed")
                continue
            try:
                self._encode, where = load(os.environ.get(WEIGHTS, ""))
            except (OSError, ValueError, ImportError) as error:
                missing.append(f"{package} cannot be used ({' '.join(str(error).split())[:120]})")
                continue
            self.version = f"{package} {import_module(package).__version__}, {where}"
            return
        raise ValueError(
            f"feature: clip_l needs CLIP ViT-L/14 on this machine, and nothing is downloaded: {'; '.join(missing)}. Set"
            f" {WEIGHTS} to the weights, or use the feature colour_grid"
        )

    def __call__(self, images: np.ndarray) -> np.ndarray:
        """uint8 (n, h, w, 3) -> float64 (n, 768), rows of length 1."""
        batches = [self._encode(images[first : first + BATCH]) for first in range(0, len(images), BATCH)]
        vectors = np.concatenate(batches).astype(np.float64)
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def _transformers(weights: str) -> tuple[Encode, str]:
    """CLIP of transformers; OSError if its files are not here."""
    transformers, torch = import_module("transformers"), import_module("torch")
    where = weights or TRANSFORMERS_MODEL
    model = transformers.CLIPModel.from_pretrained(where, local_files_only=True).eval()
    processor = transformers.CLIPImageProcessor.from_pretrained(where, local_files_only=True)

    def encode(images: np.ndarray) -> np.ndarray:
        pixels = processor(images=list(images), return_tensors="pt")["pixel_values"]
        with torch.no_grad():
            found = model.get_image_features(pixel_values=pixels)
        return _array(getattr(found, "pooler_output", found))  # transformers 5 wraps the embedding

    return encode, where


def _open_clip(weights: str) -> tuple[Encode, str]:
    """CLIP of open_clip; OSError if its checkpoint is not here."""
    open_clip, torch = import_module("open_clip"), import_module("torch")
    where = weights or import_module("huggingface_hub").try_to_load_from_cache(*OPEN_CLIP_CACHED)
    if not isinstance(where, str) or not os.path.isfile(where):
        raise OSError(f"no checkpoint file {weights or '/'.join(OPEN_CLIP_CACHED)}")
    # Given a file, open_clip reads it and asks no server.
    model, _, preprocess = open_clip.create_model_and_transforms(OPEN_CLIP_MODEL, pretrained=where)
    model.eval()

    def encode(images: np.ndarray) -> np.ndarray:
        from PIL import Image

        pixels = torch.stack([preprocess(Image.fromarray(image)) for image in images])
        with torch.no_grad():
            return _array(model.encode_image(pixels))

    return encode, where


def _array(tensor: Any) -> np.ndarray:
    return np.asarray(tensor.detach().cpu().numpy())


LOADERS: Mapping[str, Callable[[str], tuple[Encode, str]]] = {"transformers": _transformers, "open_clip": _open_clip}
"""By package, in the order in which they are tried."""
