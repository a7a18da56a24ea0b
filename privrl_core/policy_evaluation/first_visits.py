"""The sufficient statistics of first-visit estimates: visits, and sums of returns."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from privrl_core.checks import (
    Record,
    below,
    discount_factor,
    finite,
    instance_of,
    number,
    positive,
    set_fields,
    shaped,
    up_to,
    whole_number,
    whole_numbers,
)
from privrl_core.world.episodes import Episodes, blocks

__all__ = ["GRID", "FirstVisitStatistics", "first_visit_statistics", "first_visit_returns"]

#: For exact noise, returns are rounded down to multiples of the return bound divided by this number.
GRID = 2**20
SPARSE = 8  # with more states per step than this, first visits are found by sorting, not with a table of all states


@dataclass(frozen=True, eq=False)
class FirstVisitStatistics(Record):
    """All that first-visit estimates of the values use of the data.

    ``visits[S]`` is the number of trajectories that visit s, and ``return_sums[S]`` the sum over them of the
    return from the first visit on minus ``lowest_return``; ``n_episodes`` is the number of trajectories.
    If ``return_bound`` is not None, each return minus ``lowest_return`` was clipped to [0, return_bound].
    All fields are private: do not release them without noise.

    ``grid_sums[S]`` are the same sums in units of ``return_bound``/`GRID`, with each return rounded down *before* it is
    added. They are whole numbers, hence exact for any order of the trajectories, and None if there is no bound.

    ``state_labels`` are the labels of the states, if they have any, and ``labels_from_data`` tells whether these
    were taken from the data (`.Episodes.from_frame`).

    Raises ValueError, naming the field, for wrong shapes, visits that are not whole numbers in
    [0, n_episodes], sums that are not finite or not 0 where there are no visits and, if clipped, sums
    outside [0, visits * return_bound].
    """

    visits: np.ndarray
    return_sums: np.ndarray
    n_episodes: int
    return_bound: float | None = None
    lowest_return: float = 0.0
    state_labels: tuple | None = None
    labels_from_data: bool = False
    grid_sums: np.ndarray | None = None

    def __post_init__(self):
        visits = shaped("visits", whole_numbers("visits", self.visits), ("S",))
        return_sums = shaped("return_sums", self.return_sums, visits.shape)
        n_episodes, return_bound = whole_number("n_episodes", self.n_episodes, least=1), _bound(self.return_bound)
        up_to("visits", visits, n_episodes, "n_episodes")
        wrong = (visits == 0) & (return_sums != 0)
        if return_bound is not None:
            wrong |= (return_sums < 0) | (return_sums > visits * return_bound * (1 + 1e-9))  # sums are rounded
        if wrong.any():
            s = np.argmax(wrong)
            raise ValueError(
                "return_sums must be 0 where visits are, and in [0, visits * return_bound] if clipped, "
                f"got {return_sums[s]:g} in state {s} with {visits[s]:g} visits and return_bound {return_bound}"
            )
        instance_of(bool, "labels_from_data", self.labels_from_data)
        if self.state_labels is not None and len(instance_of(tuple, "state_labels", self.state_labels)) != visits.size:
            raise ValueError(f"state_labels must be one for each of {visits.size} states, got {len(self.state_labels)}")
        if self.grid_sums is not None:
            parts = up_to("grid_sums", shaped("grid_sums", whole_numbers("grid_sums", self.grid_sums), visits.shape),
                          GRID * visits, "GRID * visits")
            set_fields(self, grid_sums=parts.astype(np.int64))
        set_fields(self, visits=visits.astype(np.int64), return_sums=return_sums, n_episodes=n_episodes,
                   return_bound=return_bound, lowest_return=number(finite, "lowest_return", self.lowest_return))


def _bound(return_bound):
    return None if return_bound is None else number(positive, "return_bound", return_bound)


def lowest_and_bound(return_bound, return_range) -> tuple[float, float | None]:
    """The lowest return and the width of the range of returns, from a bound, a range or neither."""
    if return_range is None:
        return 0.0, _bound(return_bound)
    if return_bound is not None:
        raise ValueError(f"only one of return_bound and return_range may be given, got {return_bound} and {return_range}")
    ends = finite("return_range", return_range)
    if ends.shape != (2,) or not ends[0] < ends[1]:
        raise ValueError(f"return_range must be two numbers (low, high) with low < high, got {return_range}")
    return float(ends[0]), _bound(ends[1] - ends[0])


def first_visit_statistics(
    episodes: Episodes, n_states: int, discount: float, *, return_bound: float | None = None,
    return_range: tuple[float, float] | None = None,
) -> FirstVisitStatistics:
    r"""How many trajectories visit each state, and the sums of their returns from the first visit on.

    With :math:`t_i(s)` the first time trajectory i is in s, :math:`T_i` its length and B = ``return_bound``,

    .. math:: \text{visits}(s) = \#\{i : t_i(s) < \infty\}, \qquad
              \text{return\_sums}(s) = \sum_{i : t_i(s) < \infty} \biggl[\;\sum_{t = t_i(s)}^{T_i - 1}
              \gamma^{t - t_i(s)}\, r_{i,t}\biggr]_0^B.

    The state in which a trajectory ends or is cut counts as visited, with return 0 if it was not visited
    before. The bracket clips to [0, B], so that no trajectory, whatever its content, moves a sum by more than B;
    without a bound nothing is clipped.

    For negative returns, such as costs, use ``return_range`` (low, high): the sums are then of the returns minus low,
    clipped to [0, high - low]. No trajectory moves a sum by more than high - low, so the same privacy
    needs the same noise as with ``return_bound`` = high - low. Shifting each *reward* instead would shift the returns
    of longer trajectories by more.

    ``n_states`` is a whole number above every state, ``discount`` in [0, 1], ``return_bound`` positive, low < high;
    ValueError otherwise. Works in blocks: memory does not grow with the number of trajectories.
    """
    lowest, bound = lowest_and_bound(return_bound, return_range)
    n_states = whole_number("n_states", n_states, least=1)
    visits, return_sums, grid_sums = np.zeros(n_states, np.int64), np.zeros(n_states), np.zeros(n_states)
    for states, rewards in _by_block(episodes, n_states):
        if n_states > SPARSE * states.shape[1]:
            state, returns = _first_visits(states, rewards, n_states, discount_factor(discount))
            returns = returns if bound is None else np.clip(returns - lowest, 0, bound)
            visits += np.bincount(state, minlength=n_states)
            return_sums += np.bincount(state, weights=returns, minlength=n_states)
            if bound is not None:
                grid_sums += np.bincount(state, weights=_parts(returns, bound), minlength=n_states)
        else:
            returns = _table_of_returns(states, rewards, n_states, discount_factor(discount))
            visited = ~np.isnan(returns)
            returns = returns if bound is None else np.clip(returns - lowest, 0, bound)
            visits += visited.sum(axis=0)
            return_sums += returns.sum(axis=0, where=visited)
            if bound is not None:
                grid_sums += _parts(returns, bound).sum(axis=0, where=visited)
    labels = episodes.state_labels
    if labels is not None and len(labels) != n_states:
        raise ValueError(f"n_states must be the number of labels, {len(labels)}, got {n_states}")
    return FirstVisitStatistics(visits, return_sums, len(episodes), bound, lowest, labels,
                                "states" in episodes.labels_from_data, None if bound is None else grid_sums)


def _parts(returns, bound):
    """Clipped returns in units of the grid, rounded down: whole numbers, whose sums are exact in doubles up to 2^53."""
    return np.minimum(np.floor(returns * (GRID / bound)), GRID)


def first_visit_returns(episodes: Episodes, n_states: int, discount: float) -> np.ndarray:
    """The return of each trajectory from its first visit to each state on, [m, S]; NaN if it does not visit the state.

    Definition, range and errors as in :func:`first_visit_statistics`, without clipping.
    """
    n_states, discount = whole_number("n_states", n_states, least=1), discount_factor(discount)
    return np.concatenate([_table_of_returns(states, rewards, n_states, discount)
                           for states, rewards in _by_block(episodes, n_states)])


def _by_block(episodes, n_states) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """``states[n, T + 1]`` and ``rewards[n, T]`` of the trajectories, block by block."""
    below("states", instance_of(Episodes, "episodes", episodes).states, n_states, "n_states")
    for block in blocks(len(episodes)):
        T = episodes.lengths[block].max()
        yield np.asfortranarray(episodes.states[block, : T + 1]), np.asfortranarray(episodes.rewards[block, :T])


def _table_of_returns(states, rewards, n_states, discount) -> np.ndarray:
    """The return from the first visit on, [n, S]; NaN where there is none."""
    # one more column than states: entries past the end, state -1, are written to the last column of the row above
    returns = np.full((len(states), n_states + 1), np.nan)
    cells, row = returns.reshape(-1), np.arange(len(states)) * (n_states + 1)
    G = np.zeros(len(states))
    cells[row + states[:, -1]] = G
    # backwards in time, so that the earliest visit is written last and stays
    for t in reversed(range(rewards.shape[1])):
        G = rewards[:, t] + discount * G
        cells[row + states[:, t]] = G
    return returns[:, :-1]


def _first_visits(states, rewards, n_states, discount) -> tuple[np.ndarray, np.ndarray]:
    """The states of all first visits and their returns, without a table, which would be mostly empty."""
    G = np.zeros(states.shape)
    for t in reversed(range(rewards.shape[1])):
        G[:, t] = rewards[:, t] + discount * G[:, t + 1]
    inside = states >= 0
    state = states[inside].astype(np.int64)
    trajectory = np.repeat(np.arange(len(states)), inside.sum(axis=1))
    first = np.unique(trajectory * n_states + state, return_index=True)[1]
    return state[first], G[inside][first]
