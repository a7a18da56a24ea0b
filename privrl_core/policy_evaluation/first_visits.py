"""What first-visit estimates need of the data: visits, and sums of returns."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from privrl_core.checks import discount_factor, finite, number, positive, set_fields, whole_number
from privrl_core.world.episodes import Episodes, blocks

__all__ = ["FirstVisitStatistics", "first_visit_statistics", "first_visit_returns"]


@dataclass(frozen=True, eq=False)
class FirstVisitStatistics:
    """All that first-visit estimates of the values need to know of the data.

    ``visits[S]`` is the number of trajectories that visit s, ``return_sums[S]`` the sum over them of the
    return from the first visit on less ``lowest_return``, ``n_episodes`` the number of trajectories.
    ``return_bound`` is the bound to which each return less ``lowest_return`` was clipped, [0, return_bound],
    or None. All of it is private: release none of it as it is.

    ``state_labels`` are the labels of the states, if they have any, and ``labels_from_data`` says whether these
    were read off the data (`.Episodes.from_frame`).

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

    def __post_init__(self):
        visits, return_sums = finite("visits", self.visits), finite("return_sums", self.return_sums)
        n_episodes, return_bound = whole_number("n_episodes", self.n_episodes, least=1), _bound(self.return_bound)
        if visits.ndim != 1 or visits.size == 0 or return_sums.shape != visits.shape:
            raise ValueError(
                "visits and return_sums must have the same shape (S,), not empty, "
                f"got {visits.shape} and {return_sums.shape}"
            )
        wrong = (visits < 0) | (visits > n_episodes) | (visits != np.rint(visits))
        if wrong.any():
            raise ValueError(
                f"visits must be whole numbers in [0, n_episodes] = [0, {n_episodes}], got {visits[wrong][0]:g}"
            )
        wrong = (visits == 0) & (return_sums != 0)
        if return_bound is not None:
            wrong |= (return_sums < 0) | (return_sums > visits * return_bound * (1 + 1e-9))  # sums are rounded
        if wrong.any():
            s = np.argmax(wrong)
            raise ValueError(
                "return_sums must be 0 where visits are, and in [0, visits * return_bound] if clipped, "
                f"got {return_sums[s]:g} in state {s} with {visits[s]:g} visits and return_bound {return_bound}"
            )
        if self.state_labels is not None and len(self.state_labels) != visits.size:
            raise ValueError(f"state_labels must be one for each of {visits.size} states, got {len(self.state_labels)}")
        set_fields(self, visits=visits.astype(np.int64), return_sums=return_sums, n_episodes=n_episodes,
                   return_bound=return_bound, lowest_return=number(finite, "lowest_return", self.lowest_return))


def _bound(return_bound):
    if return_bound is None:
        return None
    bound = positive("return_bound", return_bound)
    if bound.ndim:
        raise ValueError(f"return_bound must be one number or None, got shape {bound.shape}")
    return float(bound)


def lowest_and_bound(return_bound, return_range) -> tuple[float, float | None]:
    """The lowest return and how far above it returns go, from a bound, a range or neither."""
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
    before. The bracket clips to [0, B], so that one trajectory moves no sum by more than B whatever it
    holds; without a bound nothing is clipped.

    Returns may be negative, as costs are: with ``return_range`` (low, high) the sums are of the returns less low,
    clipped to [0, high - low]. One trajectory then moves no sum by more than high - low, so the same privacy
    takes the same noise as with ``return_bound`` = high - low. Shifting each *reward* instead would shift the returns
    of longer trajectories by more.

    ``n_states`` is a whole number above every state, ``discount`` in [0, 1], ``return_bound`` positive, low < high;
    ValueError otherwise. Works in blocks: memory does not grow with the number of trajectories.
    """
    lowest, bound = lowest_and_bound(return_bound, return_range)
    n_states = whole_number("n_states", n_states, least=1)
    visits, return_sums = np.zeros(n_states, np.int64), np.zeros(n_states)
    for returns in _returns_by_block(episodes, n_states, discount):
        visited = ~np.isnan(returns)
        if bound is not None:
            returns = np.clip(returns - lowest, 0, bound)
        visits += visited.sum(axis=0)
        return_sums += returns.sum(axis=0, where=visited)
    labels = episodes.state_labels
    if labels is not None and len(labels) != n_states:
        raise ValueError(f"n_states must be the number of labels, {len(labels)}, got {n_states}")
    return FirstVisitStatistics(visits, return_sums, len(episodes), bound, lowest, labels,
                                "states" in episodes.labels_from_data)


def first_visit_returns(episodes: Episodes, n_states: int, discount: float) -> np.ndarray:
    """The return of each trajectory from its first visit to each state on, [m, S]; NaN where it has none.

    Definition, range and errors as in :func:`first_visit_statistics`, without clipping.
    """
    return np.concatenate(list(_returns_by_block(episodes, n_states, discount)))


def _returns_by_block(episodes, n_states, discount) -> Iterator[np.ndarray]:
    n_states, discount = whole_number("n_states", n_states, least=1), discount_factor(discount)
    if episodes.states.max() >= n_states:
        raise ValueError(f"states must be below n_states = {n_states}, got {episodes.states.max()}")
    for block in blocks(len(episodes)):
        T = episodes.lengths[block].max()
        states = np.asfortranarray(episodes.states[block, : T + 1])
        rewards = np.asfortranarray(episodes.rewards[block, :T])
        # one column more than states: what is past the end, state -1, lands in the last one of the row above
        returns = np.full((len(states), n_states + 1), np.nan)
        cells, row = returns.reshape(-1), np.arange(len(states)) * (n_states + 1)
        G = np.zeros(len(states))
        cells[row + states[:, T]] = G
        # backwards in time, so that the earliest visit is written last and stays
        for t in reversed(range(T)):
            G = rewards[:, t] + discount * G
            cells[row + states[:, t]] = G
        yield returns[:, :-1]
