"""Adam, a rule for small steps along gradients (Kingma and Ba 2015). Needed by training only."""

from collections.abc import Mapping

import numpy as np

from search.annotation.word_vectors import Floats

# As published, but for the second: gradients change faster here than over a thousand steps.
DECAY_MEAN = 0.9
DECAY_SQUARE = 0.99
EPSILON = 1e-7


class Adam:
    """Moves parameters, which are changed in place."""

    def __init__(self, parameters: Mapping[str, Floats]) -> None:
        self._parameters = parameters
        self._means = {name: np.zeros_like(array) for name, array in parameters.items()}
        self._squares = {name: np.zeros_like(array) for name, array in parameters.items()}
        self._n_steps = 0

    def step(self, gradients: Mapping[str, Floats], rate: float) -> None:
        """Move each parameter against its gradient, by about `rate` in each number."""
        self._n_steps += 1
        size = rate * np.sqrt(1 - DECAY_SQUARE**self._n_steps) / (1 - DECAY_MEAN**self._n_steps)
        for name, gradient in gradients.items():
            mean, square = self._means[name], self._squares[name]
            mean += (1 - DECAY_MEAN) * (gradient - mean)
            square += (1 - DECAY_SQUARE) * (gradient * gradient - square)
            change = mean / (np.sqrt(square) + EPSILON)
            change *= np.float32(size)
            self._parameters[name][...] -= change
