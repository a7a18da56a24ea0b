"""Clipped sums of one gradient a person: ours, beside a loop of backward passes and Opacus' engines, on one thread."""

import copy
import warnings
from functools import partial

import numpy as np
import torch
from opacus.grad_sample import GradSampleModule, GradSampleModuleExpandedWeights
from torch import nn
from torch.nn.utils import clip_grad_norm_

from bench.measure import seconds, table
from privrl_core.networks import Trajectories, clipped_sum, person_gradients, squared_error

CLIP = 0.2
SIZES = [((7, 16, 16, 1), 24, 512), ((7, 64, 64, 1), 24, 512), ((7, 256, 256, 1), 24, 128), ((7, 64, 64, 1), 200, 128)]


def network(sizes):
    torch.manual_seed(0)
    layers = [part for n, m in zip(sizes, sizes[1:]) for part in (nn.Linear(n, m), nn.Tanh())]
    return nn.Sequential(*layers[:-1])


def loop(model, people):
    """As one would write it: a backward pass for each person, clipped, added up."""
    total = [torch.zeros_like(each) for each in model.parameters()]
    for x, y, weights in zip(people.inputs, people.labels, people.weights):
        model.zero_grad()
        (weights @ squared_error(model(x), y)).backward()
        clip_grad_norm_(model.parameters(), CLIP)
        for each, parameter in zip(total, model.parameters()):
            each += parameter.grad
    return total


def one_pass(model, people):
    """Forward and backward without anybody's clip: what no way of clipping can beat."""
    outputs = []
    hooks = [layer.register_forward_hook(lambda *passed: outputs.append(passed[-1])) for layer in model[::2]]
    loss = (people.weights * squared_error(model(people.inputs), people.labels)).sum()
    for hook in hooks:
        hook.remove()
    return torch.autograd.grad(loss, outputs)


def by_vmap(model, people):
    gradients = [each.flatten(1) for each in person_gradients(model, squared_error, people).values()]
    return [clip_weights(gradients) @ each for each in gradients]


def clip_weights(gradients):
    return (CLIP / torch.stack([each.norm(dim=1) for each in gradients]).norm(dim=0)).clamp(max=1)


def by_opacus(wrapped, people):
    wrapped.zero_grad(set_to_none=True)
    (people.weights * squared_error(wrapped(people.inputs), people.labels)).sum().backward()
    gradients = [each.grad_sample.flatten(1) for each in wrapped.parameters()]
    return [clip_weights(gradients) @ each for each in gradients]


def rates(sizes, horizon, n):
    """Trajectories a second: the loop, one pass, ours, vmap, and the three engines."""
    rng, model = np.random.default_rng(0), network(sizes)
    tables = [torch.tensor(rng.normal(size=(n, horizon, size)), dtype=torch.float32) for size in (sizes[0], sizes[-1])]
    people = Trajectories(*tables, np.full(n, horizon))
    few, copies = people.people(slice(0, 64)), [copy.deepcopy(model) for _ in range(3)]
    options = dict(batch_first=True, loss_reduction="sum")
    engines = [GradSampleModule(copies[0], **options), GradSampleModule(copies[1], force_functorch=True, **options),
               GradSampleModuleExpandedWeights(copies[2], **options)]
    return [len(few) / seconds(lambda: loop(model, few)),
            n / seconds(lambda: one_pass(model, people)),
            n / seconds(lambda: clipped_sum(model, squared_error, people, CLIP)),
            n / seconds(lambda: by_vmap(model, people)),
            *(n / seconds(partial(by_opacus, engine, people)) for engine in engines)]


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # Opacus: hooks on modules whose inputs need no gradient
    torch.set_num_threads(1)
    rows = []
    for sizes, horizon, n in SIZES:
        found = rates(sizes, horizon, n)
        rows.append((f"{'-'.join(map(str, sizes))}, H = {horizon}", *(f"{rate:,.0f}" for rate in found),
                     f"{found[1] / found[0]:.1f}", f"{found[2] / found[0]:.1f}", f"{found[2] / max(found[4:]):.2f}"))
    table("Trajectories a second", ("", "loop", "one pass", "clipped_sum", "vmap", "hooks", "functorch", "expanded weights",
                                    "pass × loop", "ours × loop", "ours × best of Opacus"), rows)
