r"""One gradient a person: clipped sums of gradients of whole trajectories.

Person i has one gradient, that of her whole trajectory's loss, over all parameters that are trained together:

.. math:: G_i = \nabla_\theta\, \frac1H \sum_{t < h_i} \ell\bigl(f_\theta(x_{it}), y_{it}\bigr), \qquad
          S = \sum_i G_i \min\Bigl(1, \frac{C}{\lVert G_i\rVert}\Bigr).

Adding or removing a person changes S by a vector of length at most C; replacing her, by at most 2 C, which two people with
opposite gradients attain. If every *step* were clipped to C, as programs for independent samples do when trajectories are
flattened into rows, a person with H equal steps would change S by H C.

`person_gradients` is the definition, by ``torch.func.vmap``. `clipped_sum` takes feed-forward networks layer by layer. In a
layer with n inputs and m outputs the gradient is :math:`A_i^\top U_i`, with activations :math:`A_i` ``[H, n]`` and slopes
:math:`U_i` ``[H, m]``; its length needs the product, or, if :math:`n m > H^2`, only

.. math:: \lVert A_i^\top U_i\rVert^2 = \langle A_i A_i^\top,\ U_i U_i^\top\rangle .

Sources: Abadi et al. (2016), arXiv 1607.00133, Algorithm 1, for clipped sums; Goodfellow (2015), arXiv 1510.01799, and Li et
al. (2021), arXiv 2110.05679, for lengths from layers, from memory and not checked against the texts: tests/networks holds
all ways against a loop of backward passes.
"""

from collections.abc import Callable

from privrl_core.checks import instance_of, number, positive
from privrl_core.lazy import needs
from privrl_core.networks.trajectories import Trajectories

with needs("networks"):
    import torch
    from torch import nn
    from torch.func import functional_call, grad, vmap
    from torch.nn.functional import linear

__all__ = ["squared_error", "person_gradients", "clipped_sum", "trainable", "treats_each_alone"]

BY_STEP = nn.Tanh, nn.Sigmoid, nn.ReLU, nn.SiLU, nn.GELU, nn.ELU, nn.Softplus, nn.Identity  # one number in, one number out
BATCH_NORM = nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.SyncBatchNorm
AT_ONCE = {"cpu": 2**19, "gpu": 2**26}  # numbers of gradients: what a cache holds, and a part of a GPU's memory
DROPOUT = nn.Dropout, nn.Dropout1d, nn.Dropout2d, nn.Dropout3d, nn.AlphaDropout, nn.FeatureAlphaDropout


def squared_error(outputs: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    r"""``[...]``: the squared distance of output and label at each step, of ``outputs[..., k]`` and ``labels[..., k]``."""
    return (outputs - labels).square().sum(dim=-1)


def treats_each_alone(model: nn.Module) -> nn.Module:
    """``model``; ValueError for one in which a person's outputs would depend on other people (batch norm), or on a hidden
    draw (dropout that is switched on), and for one that uses a parameter twice."""
    for name, part in instance_of(nn.Module, "model", model).named_modules():
        if isinstance(part, BATCH_NORM) and (part.training or part.running_mean is None):
            raise ValueError(f"model must treat each person alone, got {type(part).__name__} in {name!r}, which mixes the "
                             "people of a batch: use layer norm, or model.eval() to keep public statistics fixed")
        if isinstance(part, DROPOUT) and part.training and part.p:
            raise ValueError(f"model must draw nothing by itself, got {type(part).__name__} in {name!r}: use model.eval()")
    names = {name for name, _ in model.named_parameters(remove_duplicate=False)}
    if again := names - {name for name, _ in model.named_parameters()}:
        raise ValueError("model must use each parameter once, got some again under other names: " + ", ".join(sorted(again)))
    return model


def trainable(model: nn.Module) -> dict[str, torch.Tensor]:
    """The parameters that are trained, by name. ValueError as in `treats_each_alone`, for parameters of fewer digits than
    float32, and for a model with nothing to train."""
    found = {name: each.detach() for name, each in treats_each_alone(model).named_parameters() if each.requires_grad}
    if not found:
        raise ValueError("model must have parameters that require a gradient, got none")
    if {each.dtype for each in found.values()} - {torch.float32, torch.float64}:
        raise ValueError("model must have parameters in float32 or float64, whose digits can hold the noise, got "
                         + ", ".join(sorted({str(each.dtype) for each in found.values()})))
    return found


def person_gradients(model: nn.Module, loss: Callable, people: Trajectories) -> dict[str, torch.Tensor]:
    """``[N, ...]`` for each parameter: the gradient of each person's loss, not yet clipped. It holds private data.

    ``loss(outputs, labels)`` is given one person at a time, ``[H, k]`` each, and gives one number for each step, ``[H]``.
    Raises ValueError for models as in `trainable`, and for losses of another shape.
    """
    def person_loss(parameters, x, y, weights):
        return weights @ _each_step(loss(functional_call(model, parameters, (x,)), y), y)

    parameters = trainable(model)
    with _in_full(people):
        return vmap(grad(person_loss), in_dims=(None, 0, 0, 0))(parameters, people.inputs, people.labels, people.weights)


def clipped_sum(model: nn.Module, loss: Callable, people: Trajectories, clip: float) -> dict[str, torch.Tensor]:
    r"""S by parameter, in float64: the sum of all people's gradients, each of length at most ``clip``, over all parameters.

    Lengths are taken in float64 of the very numbers that are added, or rounded up, and sums are float64 too, so that
    everybody is at most C(1 + 1e-6) long in what comes out, whatever the type of the model. A gradient that is not finite
    adds nothing: an error would tell that this person is there. An ``nn.Sequential`` of linear layers and functions of
    single numbers goes layer by layer, which is faster (bench/person_gradients.py). Arguments and errors as in
    `person_gradients`; ``clip`` C > 0.
    """
    clip, parameters = number(positive, "clip", clip), trainable(model)
    one_part = _by_layer if _is_feed_forward(model) else _by_person
    numbers = AT_ONCE["cpu" if instance_of(Trajectories, "people", people).inputs.device.type == "cpu" else "gpu"]
    size = max(1, numbers // sum(each.numel() for each in parameters.values()))
    sums = {name: torch.zeros_like(each, dtype=torch.float64) for name, each in parameters.items()}
    for first in range(0, len(people), size):
        gradients = one_part(model, loss, people.people(slice(first, first + size)))
        squares = sum(each.squares for each in gradients)
        factors = torch.where(squares.isfinite(), clip / squares.sqrt().clamp(min=clip), 0.0)
        for total, each in zip(sums.values(), gradients, strict=True):
            total += each.weighted_sum(factors).reshape(total.shape)
    return sums


def _each_step(losses, labels):
    """``losses`` if there is one number for each step of one person: anything else could mix people."""
    if losses.shape != labels.shape[:-1]:
        raise ValueError(f"loss must give one number for each step, {list(labels.shape[:-1])}, got {list(losses.shape)}")
    return losses


def _in_full(people):
    """No autocast: gradients keep the digits of their type."""
    return torch.autocast(instance_of(Trajectories, "people", people).inputs.device.type, enabled=False)


def _by_person(model, loss, people):
    return [_Made(each) for each in person_gradients(model, loss, people).values()]


def _by_layer(model, loss, people):
    """The gradients of a feed-forward network, in the order of its parameters."""
    activations, outputs, x = [], [], people.inputs
    with _in_full(people):
        for layer in model:
            if isinstance(layer, nn.Linear):
                activations.append(x.detach())
                outputs.append(linear(x, layer.weight, layer.bias))
            x = outputs[-1] if isinstance(layer, nn.Linear) else layer(x)
        losses = vmap(lambda said, y: _each_step(loss(said, y), y))(x, people.labels)  # no person's loss sees another
        slopes = torch.autograd.grad((people.weights * losses).sum(), outputs)
    return [each for a, u, layer in zip(activations, slopes, _linear_layers(model))
            for each in ([_weights(a, u)] if layer.bias is None else [_weights(a, u), _Made(u.sum(dim=1))])]


def _weights(a, u):
    """By measurement, products win where a layer has many more weights than a person has pairs of steps."""
    return _Products(a, u) if a.shape[2] * u.shape[2] > 16 * a.shape[1] ** 2 else _Made(u.mT @ a)


class _Made:
    """A parameter's gradients ``[N, ...]``, one for each person, as they are."""

    def __init__(self, gradients):
        self.gradients = gradients.flatten(1).double()
        self.squares = self.gradients.square().sum(dim=1)

    def weighted_sum(self, factors):
        return factors @ _only(factors, self.gradients)


class _Products:
    """A layer's gradients ``[N, m, n]`` as products of slopes and activations, in float64, with lengths rounded up."""

    def __init__(self, activations, slopes):
        self.activations, self.slopes = a, u = activations.double(), slopes.double()
        rounding = 2 * (a.shape[2] + u.shape[2] + a.shape[1] ** 2) * 2.0**-53
        gram = ((a @ a.mT) * (u @ u.mT)).sum(dim=(1, 2)).clamp(min=0)
        self.squares = gram + rounding * (a.norm(dim=2) * u.norm(dim=2)).sum(dim=1).square()

    def weighted_sum(self, factors):
        weighted = factors[:, None, None] * _only(factors, self.activations)
        return _only(factors, self.slopes).flatten(0, 1).T @ weighted.flatten(0, 1)


def _only(factors, values):
    """``values`` without those of people who add nothing, which need not be finite."""
    return values if (factors > 0).all() else torch.where((factors > 0).reshape(-1, *[1] * (values.ndim - 1)), values, 0.0)


def _linear_layers(model):
    return [layer for layer in model if isinstance(layer, nn.Linear)]


def _is_feed_forward(model):
    """Whether the model is, to the type, what `_by_layer` computes: no subclass, no layer twice, no rewritten weights."""
    return type(model) is nn.Sequential and len(set(model)) == len(model) and bool(_linear_layers(model)) and all(
        type(layer) in (nn.Linear, *BY_STEP) and not layer._forward_hooks and not layer._forward_pre_hooks for layer in model
    ) and all(list(layer._parameters) == ["weight", "bias"] for layer in _linear_layers(model)) and all(
        each.requires_grad for each in model.parameters())
