r"""Many small ReLU networks with one input, evaluated together: a row of ``parameters[runs, P]`` is one network.

.. math:: h_0 = s, \qquad h_{\ell+1} = \max(W_\ell^\top h_\ell + b_\ell, 0), \qquad Q = W_L^\top h_L + b_L

``widths`` = (1, 16, 16, 2) means two hidden layers of 16 units and one value for each of two actions. Each matrix product
covers all runs, which for networks this small is several times faster than automatic differentiation run by run.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from privrl_core.checks import Record, finite, generator, instance_of, set_fields, shaped, whole_number

__all__ = ["NetworkQ", "initial_parameters", "network_values", "network_gradient", "network_gradient_norms"]

Widths = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class NetworkQ(Record):
    """One network per run, ``parameters[runs, P]``; ``q(states[n])`` or ``q(states[runs, n])`` is ``[runs, n, actions]``."""

    parameters: np.ndarray
    widths: Widths

    def __post_init__(self):
        widths = _checked_widths(self.widths)
        size = sum((n + 1) * m for n, m in zip(widths, widths[1:]))
        # this raises an error if a learner has diverged
        set_fields(self, parameters=shaped("parameters", self.parameters, ("runs", size)), widths=widths)

    def __call__(self, states) -> np.ndarray:
        return network_values(self.parameters, self.widths, np.atleast_2d(finite("states", states)))


def _checked_widths(widths):
    if len(instance_of(tuple, "widths", widths)) < 2:
        raise ValueError(f"widths must name at least an input and an output, got {widths!r}")
    return tuple(whole_number("widths", width, least=1) for width in widths)


def initial_parameters(widths: Widths, runs: int, rng: np.random.Generator, *, dtype=np.float64) -> np.ndarray:
    r"""Uniform on :math:`\pm 1/\sqrt{n}` for a layer of n inputs, torch's default: ``[runs, P]``."""
    generator("rng", rng)
    widths = _checked_widths(widths)
    bounds = [np.full((n + 1) * m, 1 / np.sqrt(n)) for n, m in zip(widths, widths[1:])]
    bounds = np.concatenate(bounds)
    return (bounds * rng.uniform(-1, 1, size=(whole_number("runs", runs, least=1), bounds.size))).astype(dtype)


def _layers(parameters: np.ndarray, widths: Widths):
    """The weights ``[runs, n, m]`` and biases ``[runs, 1, m]`` of each layer, as views that can be written to."""
    start = 0
    for n, m in zip(widths, widths[1:]):
        both = parameters[:, start:start + (n + 1) * m].reshape(-1, n + 1, m)
        yield both[:, :n], both[:, n:]
        start += (n + 1) * m


def _activations(parameters, widths, states):
    layer, layers = states[..., None].astype(parameters.dtype, copy=False), list(_layers(parameters, widths))
    activations = [layer]
    for k, (weights, biases) in enumerate(layers):
        layer = layer * weights if weights.shape[1] == 1 else layer @ weights
        layer += biases
        if k < len(layers) - 1:
            np.maximum(layer, 0, out=layer)
        activations.append(layer)
    return activations


def network_values(parameters: np.ndarray, widths: Widths, states: np.ndarray) -> np.ndarray:
    """Q of each network at its own ``states[runs, n]`` or at shared ``states[1, n]``: ``[runs, n, actions]``."""
    return _activations(parameters, widths, states)[-1]


def network_gradient(parameters: np.ndarray, widths: Widths, states: np.ndarray, slope: Callable) -> np.ndarray:
    r"""The gradient, by backpropagation, of a loss whose derivative in the values is ``slope(values)``: ``[runs, P]``.

    ``values`` and slopes are ``[runs, n, actions]`` at ``states[runs, n]``. For the squared loss
    :math:`\tfrac12 (Q - y)^2` the slope is :math:`Q - y`.
    """
    *activations, values = _activations(parameters, widths, states)
    gradient, upstream = np.empty_like(parameters), slope(values).astype(parameters.dtype, copy=False)
    for activation, (weights, _), (for_weights, for_biases) in zip(
            activations[::-1], list(_layers(parameters, widths))[::-1], list(_layers(gradient, widths))[::-1]):
        np.matmul(activation.mT, upstream, out=for_weights)
        np.sum(upstream, axis=1, keepdims=True, out=for_biases)
        if activation is not activations[0]:
            upstream = upstream @ weights.mT * (activation > 0)
    return gradient


def network_gradient_norms(parameters: np.ndarray, widths: Widths, states: np.ndarray, upstream) -> np.ndarray:
    r"""The Euclidean norm of the gradient of :math:`\sum_a u_{ta} Q(s_t, a)` for each step t separately: ``[runs, n]``.

    A layer's contribution at one step is an outer product, so its squared norm is
    :math:`(\lVert h\rVert^2 + 1) \lVert u\rVert^2`. Source: Goodfellow (2015), "Efficient per-example gradient
    computations".
    """
    *activations, _ = _activations(parameters, widths, states)
    squares = np.zeros(states.shape)
    for activation, (weights, _) in zip(activations[::-1], list(_layers(parameters, widths))[::-1]):
        squares += ((activation**2).sum(-1) + 1) * (upstream**2).sum(-1)
        upstream = upstream @ weights.mT * (activation > 0)
    return np.sqrt(squares)
