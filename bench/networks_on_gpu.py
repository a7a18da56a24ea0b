"""The training rows of ``bench.private_models`` on a device of choice: ``python -m bench.networks_on_gpu cuda``.

Training runs on the device; records, samples and noise are drawn on the CPU from the same seeds, and plans are made there.
So a table from a GPU should differ from that of a CPU (``python -m bench.networks_on_gpu cpu``) by rounding in float32 only,
far below its standard errors. A second word is the number of groups, ten without it. A minute or two for each row.
"""

import sys
import time

import torch

from bench.measure import table
from bench.private_models import RATES, body_network, fare, planned, public_knowledge, records, row, trained
from privrl_core.networks import CLINIC

HEAD = ("", "risk", "worst", "in range", "below 70 (worst)", "below 54 (worst)", "overdoses", "less noise-free", "training")


def main(device: str, groups: int = 10):
    seeds, rows, (public, start) = range(9300, 9300 + groups), [], public_knowledge()
    for number in (300, 1000, 10_000):
        people = [records(CLINIC, number, seed).to(device=device) for seed in seeds]
        for kind in ("public", "scratch"):
            first = [(public if kind == "public" else body_network(seed)).to(device) for seed in seeds]
            compared = None
            for epsilon in (None, 1.0):
                began = time.time()
                models = [trained(each, model, epsilon, RATES[kind], seed).cpu()
                          for seed, each, model in zip(seeds, people, first)]
                seconds = (time.time() - began) / groups
                found = fare(planned(models, start, 9302), seeds)
                label = f"N = {number:,}, {kind}, {'no noise' if epsilon is None else f'ε = {epsilon:g}'}"
                rows.append((*row(label, found, compared), f"{seconds:.2f} s"))
                compared = found if epsilon is None else compared
    table(f"Insulin, {groups} groups, trained on {device}", HEAD, rows)


if __name__ == "__main__":
    torch.set_num_threads(1)
    if not sys.argv[1:]:
        raise SystemExit("device must be given: cpu, or cuda")
    main(sys.argv[1], *map(int, sys.argv[2:3]))
