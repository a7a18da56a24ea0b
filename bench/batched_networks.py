"""One update of sixty networks of 338 parameters: numpy, beside torch in three ways, each on one thread."""

import numpy as np
import torch
from torch.func import functional_call, grad, stack_module_state, vmap

from bench.measure import duration, seconds, table
from privrl_core.functional_noise import initial_parameters, network_gradient, network_values

RUNS, WIDTHS, RATE = 60, (1, 16, 16, 2), 3e-4


def in_torch(flat: np.ndarray) -> list[torch.Tensor]:
    """Weights ``[runs, n, m]`` and biases ``[runs, 1, m]`` of each layer, to be learned."""
    layers, start = [], 0
    for n, m in zip(WIDTHS, WIDTHS[1:]):
        both = torch.tensor(flat[:, start:start + (n + 1) * m].reshape(RUNS, n + 1, m))
        layers += [both[:, :n].clone().requires_grad_(), both[:, n:].clone().requires_grad_()]
        start += (n + 1) * m
    return layers


def values_by_bmm(layers, states):
    hidden = states[..., None]
    for k in range(0, len(layers), 2):
        hidden = torch.baddbmm(layers[k + 1], hidden, layers[k])
        hidden = torch.relu(hidden) if k + 2 < len(layers) else hidden
    return hidden


def one_network() -> torch.nn.Sequential:
    parts = [part for n, m in zip(WIDTHS, WIDTHS[1:]) for part in (torch.nn.Linear(n, m), torch.nn.ReLU())]
    return torch.nn.Sequential(*parts[:-1])


def updates(dtype, batch: int) -> dict:
    """Four functions that do the same: values at the states, half the mean square of their errors, a step down its slope."""
    rng = np.random.default_rng(0)
    flat, states = initial_parameters(WIDTHS, RUNS, rng, dtype=dtype), rng.random((RUNS, batch)).astype(dtype)
    targets = rng.random((RUNS, batch, 2)).astype(dtype)
    places, goals = torch.tensor(states), torch.tensor(targets)
    layers = in_torch(flat)
    networks = [one_network().to(places.dtype) for _ in range(RUNS)]
    stacked = {name: value.detach().clone() for name, value in stack_module_state(networks)[0].items()}

    def in_numpy():
        nonlocal flat
        flat = flat - RATE * network_gradient(flat, WIDTHS, states, lambda values: (values - targets) / batch)

    def by_bmm():
        loss = ((values_by_bmm(layers, places) - goals) ** 2).sum() / (2 * batch)
        with torch.no_grad():
            for layer, slope in zip(layers, torch.autograd.grad(loss, layers)):
                layer -= RATE * slope

    def loss_of_one(weights, places, goals):
        return ((functional_call(networks[0], weights, (places[:, None],)) - goals) ** 2).sum() / (2 * batch)

    of_all = vmap(grad(loss_of_one))

    def by_func():
        for name, slope in of_all(stacked, places, goals).items():
            stacked[name] -= RATE * slope

    def one_at_a_time():
        for network, here, there in zip(networks, places, goals):
            loss = ((network(here[:, None]) - there) ** 2).sum() / (2 * batch)
            with torch.no_grad():
                for weight, slope in zip(network.parameters(), torch.autograd.grad(loss, list(network.parameters()))):
                    weight -= RATE * slope

    in_numpy()
    by_bmm()
    again = torch.cat([layer.detach().reshape(RUNS, -1) for layer in layers], 1).numpy()
    assert np.allclose(flat, again, atol=1e-6), "numpy and torch.bmm differ"
    return {"numpy": in_numpy, "torch, bmm and autograd": by_bmm, "torch.func, vmap of grad": by_func,
            "torch, one network at a time": one_at_a_time}


def choices() -> dict:
    """Values of each network at one state: what a walker asks before every step."""
    rng = np.random.default_rng(0)
    flat, states = initial_parameters(WIDTHS, RUNS, rng), rng.random((RUNS, 1))
    layers, places = in_torch(flat), torch.tensor(states)

    def by_bmm():
        with torch.no_grad():
            return values_by_bmm(layers, places)
    return {"numpy": lambda: network_values(flat, WIDTHS, states), "torch, bmm and autograd": by_bmm}


if __name__ == "__main__":
    torch.set_num_threads(1)
    measured = {"values at 1 state": choices(), "update on 64, double": updates(np.float64, 64),
                "update on 128, single": updates(np.float32, 128)}
    times = {what: {name: seconds(function) for name, function in ways.items()} for what, ways in measured.items()}
    names = list(times["update on 64, double"])
    table(f"{RUNS} networks of widths {WIDTHS}, together", ("how", *times),
          [(name, *(duration(found[name]) if name in found else "" for found in times.values())) for name in names])
