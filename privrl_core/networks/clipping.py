r"""One gradient a person: clipped sums of gradients of whole trajectories.

Person i has one gradient, that of her whole trajectory's loss, over all parameters that are trained together:

.. math:: G_i = \nabla_\theta\, \frac1H \sum_{t < h_i} \ell\bigl(f_\theta(x_{it}), y_{it}\bigr), \qquad
          S = \sum_i G_i \min\Bigl(1, \frac{C}{\lVert G_i\rVert}\Bigr).

Adding or removing a person changes S by a vector of length at most C; replacing her, by at most 2 C, which two people with
opposite gradients attain. In floating point the gradients of the others may also change in their last digits, as they are
computed in blocks of another size; the noise does not cover this. If every *step* were clipped to C, as programs for
independent samples do when trajectories are flattened into rows, a person with H equal steps would change S by H C.

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
    from torch.linalg import vector_norm
    from torch.nn.functional import linear

__all__ = ["squared_error", "person_gradients", "clipped_sum", "trainable", "treats_each_alone"]

BY_STEP = nn.Tanh, nn.Sigmoid, nn.ReLU, nn.SiLU, nn.GELU, nn.ELU, nn.Softplus, nn.Identity  # one number in, one number out
BATCH_NORM = nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.SyncBatchNorm
AT_ONCE = {"cpu": 2**19, "gpu": 2**24}  # numbers of gradients: what a cache holds, and a part of a GPU's memory
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
    at_once = AT_ONCE["cpu" if instance_of(Trajectories, "people", people).inputs.device.type == "cpu" else "gpu"]
    sums = {name: torch.zeros_like(each, dtype=torch.float64) for name, each in parameters.items()}
    for parts in (_by_layer if _is_feed_forward(model) else _by_person)(model, loss, people, at_once):
        squares = sum(each.squares for each in parts)
        factors = torch.where(squares.isfinite(), clip / squares.sqrt().clamp(min=clip), 0.0)
        for name, each in (pair for part in parts for pair in part.weighted_sums(factors)):
            sums[name] += each.reshape(sums[name].shape)
    return sums


def _each_step(losses, labels):
    """``losses`` if there is one number for each step of one person: anything else could mix people."""
    if losses.shape != labels.shape[:-1]:
        raise ValueError(f"loss must give one number for each step, {list(labels.shape[:-1])}, got {list(losses.shape)}")
    return losses


def _in_full(people):
    """No autocast: gradients keep the digits of their type."""
    return torch.autocast(instance_of(Trajectories, "people", people).inputs.device.type, enabled=False)


def _by_person(model, loss, people, at_once):
    """Gradients of a few people at a time, about ``at_once`` numbers."""
    size = max(1, at_once // sum(each.numel() for each in model.parameters() if each.requires_grad))
    for few in _in_turn(len(people), size):
        yield [_Rows(person_gradients(model, loss, people.people(few)))]


def _by_layer(model, loss, people, at_once):
    """The same of a feed-forward network: wide layers as products, all others in rows. One pass serves several parts."""
    layers = {name: layer for name, layer in model.named_children() if isinstance(layer, nn.Linear)}
    wide = {name for name, layer in layers.items() if layer.weight.numel() > 16 * people.horizon**2}  # by measurement
    sides = {name: people.horizon * sum(layer.weight.shape) for name, layer in layers.items()}
    size = max(1, at_once // sum(sides[name] if name in wide else layer.weight.numel() for name, layer in layers.items()))
    for some in _in_turn(len(people), max(1, 4 * at_once // sum(sides.values()))):
        activations, slopes = _both_sides(model, loss, people.people(some))
        for few in _in_turn(len(activations[0]), size):
            rows, products = {}, []
            for (name, layer), a, u in zip(layers.items(), activations, slopes, strict=True):
                if name in wide:
                    products.append(_Products(f"{name}.weight", a[few], u[few]))
                else:
                    rows[f"{name}.weight"] = _products_of_steps(people, a[few], u[few])
                if layer.bias is not None:
                    rows[f"{name}.bias"] = u[few].sum(dim=1)
            yield [_Rows(rows), *products] if rows else products


def _both_sides(model, loss, people):
    """Activations ``[N, H, n]`` before and slopes ``[N, H, m]`` behind each linear layer."""
    activations, outputs, x = [], [], people.inputs
    with _in_full(people):
        for layer in model:
            if isinstance(layer, nn.Linear):
                activations.append(x.detach())
                outputs.append(linear(x, layer.weight, layer.bias))
            x = outputs[-1] if isinstance(layer, nn.Linear) else layer(x)
        losses = vmap(lambda said, y: _each_step(loss(said, y), y))(x, people.labels)  # no person's loss sees another
        return activations, torch.autograd.grad((people.weights * losses).sum(), outputs)


def _products_of_steps(people, a, u):
    """``[N, m, n]``: the gradient of a layer's weights for each person. The longer side last is faster."""
    with _in_full(people):
        return u.mT @ a if u.shape[2] <= a.shape[2] else (a.mT @ u).mT


def _in_turn(n, size):
    return (slice(first, first + size) for first in range(0, n, size))


class _Rows:
    """Gradients as they are, in float64, one row for each person."""

    def __init__(self, gradients):
        flat = {name: each.flatten(1) for name, each in gradients.items()}
        self.sizes = {name: each.shape[1] for name, each in flat.items()}
        self.rows = torch.cat(list(flat.values()), dim=1).double()
        self.squares = vector_norm(self.rows, dim=1).square()

    def weighted_sums(self, factors):
        return zip(self.sizes, (factors @ _only(factors, self.rows)).split(list(self.sizes.values())), strict=True)


class _Products:
    """A layer's gradients ``[N, m, n]`` as products of slopes and activations, in float64, with lengths rounded up."""

    def __init__(self, name, activations, slopes):
        self.name, self.activations, self.slopes = name, activations.double(), slopes.double()
        a, u = self.activations, self.slopes
        rounding = 2 * (a.shape[2] + u.shape[2] + a.shape[1] ** 2) * 2.0**-53
        gram = ((a @ a.mT) * (u @ u.mT)).sum(dim=(1, 2)).clamp(min=0)
        self.squares = gram + rounding * (a.norm(dim=2) * u.norm(dim=2)).sum(dim=1).square()

    def weighted_sums(self, factors):
        weighted = factors[:, None, None] * _only(factors, self.activations)
        yield self.name, _only(factors, self.slopes).flatten(0, 1).T @ weighted.flatten(0, 1)


def _only(factors, values):
    """``values`` without those of people who add nothing, which need not be finite."""
    return values if (factors > 0).all() else torch.where((factors > 0).reshape(-1, *[1] * (values.ndim - 1)), values, 0.0)


def _is_feed_forward(model):
    """Whether the model is, to the type, what `_by_layer` computes: no subclass, no layer twice, no rewritten weights."""
    layers = [layer for layer in model if type(layer) is nn.Linear] if type(model) is nn.Sequential else []
    return bool(layers) and len(set(model)) == len(model) and all(
        type(layer) in (nn.Linear, *BY_STEP) and not getattr(layer, "inplace", False)  # which would overwrite what is kept
        and not layer._forward_hooks and not layer._forward_pre_hooks for layer in model
    ) and all(list(layer._parameters) == ["weight", "bias"] for layer in layers) and all(
        each.requires_grad for each in model.parameters())
