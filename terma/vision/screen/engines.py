"""The models that come in RapidOCR's wheel: nothing is fetched."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terma.errors import UsageError
from terma.vision.errors import EyesError


def session(pattern: str) -> Any:
    """The model whose file matches `pattern`, ready. Raises UsageError where RapidOCR is not installed."""
    found = find_spec("rapidocr_onnxruntime")
    places = [] if found is None else list(found.submodule_search_locations or ())
    models = sorted(model for place in places for model in Path(place, "models").glob(pattern))
    try:
        import onnxruntime  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        models = []
    if not models:
        raise UsageError(
            "there is no OCR here",
            "pip install 'xontrib-terma[ocr]', then pip install --no-deps rapidocr-onnxruntime",
        )
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1  # strips are small: threads wait for each other
    return onnxruntime.InferenceSession(str(models[0]), options, providers=["CPUExecutionProvider"])


def run(model: Any, batch: NDArray[np.float32]) -> NDArray[np.float32]:
    """What `model` says of a batch. Raises EyesError."""
    try:
        return np.asarray(model.run(None, {model.get_inputs()[0].name: batch})[0])
    except Exception as error:  # whatever the engine raises
        raise EyesError(f"OCR failed: {error}", "look again, or use another reader") from None
