"""Which lines of a page are its article, by a small learned model: features → probability per line.

A few multilayer perceptrons vote (their mean) where the first one is in doubt. Weights are in
`data/line_model.npz`, made from labelled pages by
`python -m extraction.html.training.train_line_model`; the file is loaded once per process.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from extraction.html.lines.line_forms import FloatMatrix

MODEL_PATH = Path(__file__).parents[1] / "data" / "line_model.npz"
# Standardised features beyond this many deviations are cut: an odd page must not leave the model's
# world.
CLIP_DEVIATIONS = 6.0
MIN_DEVIATION = 1e-3  # a feature that hardly varies is not blown up
# What the first network is this sure of is not asked of the others: three of four lines. Of 72,332
# lines of unseen sites none gets to the other side of .3 or .5, none moves by more than .05.
_SURE_PROBABILITY = 0.005


@dataclass(frozen=True, slots=True)
class LineModel:
    """Standardisation and the layers of each network: (weights, bias) pairs, ReLU between them."""

    mean: npt.NDArray[np.float32]
    deviation: npt.NDArray[np.float32]
    networks: tuple[tuple[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]], ...], ...]

    @classmethod
    def load(cls, path: Path = MODEL_PATH) -> "LineModel":
        """Read a model file.

        Raises
        ------
        OSError, KeyError, ValueError
            When the file is missing or is not a model.
        """
        with np.load(path) as file:
            n_networks, n_layers = (int(number) for number in file["shape"])
            networks = tuple(
                tuple(
                    (
                        file[f"w{network}_{layer}"].astype(np.float32),
                        file[f"b{network}_{layer}"].astype(np.float32),
                    )
                    for layer in range(n_layers)
                )
                for network in range(n_networks)
            )
            return cls(
                file["mean"].astype(np.float32), file["deviation"].astype(np.float32), networks
            )

    def save(self, path: Path) -> None:
        """Write the model, weights in half precision."""
        arrays: dict[str, npt.NDArray[Any]] = {
            f"{kind}{network}_{layer}": array.astype(np.float16)
            for network, layers in enumerate(self.networks)
            for layer, pair in enumerate(layers)
            for kind, array in zip("wb", pair, strict=True)
        }
        arrays["shape"] = np.array([len(self.networks), len(self.networks[0])])
        arrays["mean"], arrays["deviation"] = self.mean, self.deviation
        np.savez_compressed(path, allow_pickle=False, **arrays)

    def standardized(self, features: FloatMatrix) -> FloatMatrix:
        """Features in deviations from the training mean, cut at both ends."""
        scaled: FloatMatrix = (features - self.mean).astype(np.float32, copy=False)
        scaled /= self.deviation
        np.minimum(scaled, np.float32(CLIP_DEVIATIONS), out=scaled)
        np.maximum(scaled, np.float32(-CLIP_DEVIATIONS), out=scaled)
        return scaled

    def probabilities(self, features: FloatMatrix) -> npt.NDArray[np.float32]:
        """Probability of each line to be part of the article.

        Parameters
        ----------
        features : ndarray of shape (n_lines, n_features)
            As `line_features` makes them.

        Returns
        -------
        ndarray of shape (n_lines,), float32
            Between 0 and 1.
        """
        scaled = self.standardized(features)
        first, *others = self.networks
        found = sigmoid(forward(first, scaled))
        is_sure = (found < _SURE_PROBABILITY) | (found > 1 - _SURE_PROBABILITY)
        doubtful = np.flatnonzero(~is_sure)
        if len(doubtful):
            inputs, total = scaled[doubtful], found[doubtful]
            for layers in others:
                total += sigmoid(forward(layers, inputs))
            found[doubtful] = total / np.float32(len(self.networks))
        return found


def forward(
    layers: tuple[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]], ...],
    inputs: FloatMatrix,
) -> npt.NDArray[np.float32]:
    """Output of one network before the sigmoid, shape (n_lines,)."""
    signal = inputs
    for weights, bias in layers[:-1]:
        signal = signal @ weights
        signal += bias
        np.maximum(signal, np.float32(0.0), out=signal)
    weights, bias = layers[-1]
    result: npt.NDArray[np.float32] = (signal @ weights + bias)[:, 0]
    return result


def sigmoid(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Logistic function; saturates instead of overflowing."""
    return (1.0 / (1.0 + np.exp(-np.clip(values, -30.0, 30.0)))).astype(np.float32)


@cache
def default_model() -> LineModel:
    """Load the model that ships with the package."""
    return LineModel.load()
