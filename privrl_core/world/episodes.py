"""Trajectories: how they are stored, and how they are made from lists and from tables of logged decisions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from privrl_core.checks import Record, finite, instance_of, plain
from privrl_core.world.logs import sorted_log

BLOCK = 4096  # trajectories processed together: enough to hide Python's overhead, few enough for the cache
INDICES = np.int8, np.int16, np.int32, np.int64  # types of states and actions, with -1
NUMBERS = np.int8, np.int16, np.float32, np.float64  # types of rewards


def blocks(m):
    """Slices that cut m trajectories into blocks of 4,096."""
    return [slice(start, min(start + BLOCK, m)) for start in range(0, m, BLOCK)]


@dataclass(frozen=True, eq=False)
class Episodes(Record):
    """m trajectories of different lengths, side by side in rectangular arrays of compact types.

    ``states[m, T+1]`` and ``actions[m, T]`` (signed integers), ``rewards[m, T]`` (real numbers) and
    ``lengths[m]`` (transitions, 0 to T); unsigned integers become signed ones. Trajectory i goes from ``states[i, 0]`` to
    ``states[i, lengths[i]]``; past its end states and actions are -1 and rewards 0. Raises ValueError,
    naming the array, if any of this is violated or a reward is not finite. The arrays are read-only views
    of the given ones, which are not copied, so do not modify those.

    ``state_labels`` and ``action_labels`` are the labels behind the numbers, if there are any: state s is
    ``state_labels[s]``. ``labels_from_data`` names those of the lists ("states", "actions") that were taken from the data,
    and are public only if they were known before.
    """

    states: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    lengths: np.ndarray
    state_labels: tuple | None = None
    action_labels: tuple | None = None
    labels_from_data: tuple[str, ...] = ()

    def __post_init__(self):
        kinds = {"states": "i", "actions": "i", "rewards": "fib", "lengths": "i"}  # kinds of dtypes
        for name, n_axes in ("states", 2), ("actions", 2), ("rewards", 2), ("lengths", 1):
            values = plain(name, getattr(self, name))
            if values.dtype.kind == "u" and name != "rewards":
                values = values.astype(np.min_scalar_type(-1 - int(values.max(initial=0))))
            if values.ndim != n_axes or values.dtype.kind not in kinds[name]:
                expected = "real numbers" if name == "rewards" else "signed integers"
                raise ValueError(
                    f"{name} must be {expected} on {n_axes} axes, got {values.dtype} of shape {values.shape}"
                )
            values = values.view()  # not a copy: a million trajectories fill a tenth of a gigabyte
            values.flags.writeable = False
            object.__setattr__(self, name, values)
        m, width = self.states.shape
        if 0 in (m, width):
            raise ValueError(f"states must hold at least one trajectory of one state, got shape {(m, width)}")
        for name, shape in ("actions", (m, width - 1)), ("rewards", (m, width - 1)), ("lengths", (m,)):
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name} must have shape {list(shape)} as states has {[m, width]}, "
                                 f"got {list(getattr(self, name).shape)}")
        if self.lengths.min() < 0 or self.lengths.max() >= width:
            raise ValueError(
                f"lengths must be in [0, {width - 1}], got {self.lengths.min()} to {self.lengths.max()}"
            )
        steps = np.arange(width, dtype=np.int32)[:, None]
        for block in blocks(m):
            inside = (steps <= self.lengths[block]).T
            self._require_padding("states", block, inside)
            self._require_padding("actions", block, inside[:, 1:])
            rewards = self.rewards[block]
            right = (rewards == 0) | (inside[:, 1:] & np.isfinite(rewards))
            self._require(right, "rewards", block, "finite, and 0 past the end of a trajectory")
        instance_of(tuple, "labels_from_data", self.labels_from_data)
        for name, numbers in ("state_labels", self.states), ("action_labels", self.actions):
            labels = None if getattr(self, name) is None else instance_of(tuple, name, getattr(self, name))
            if labels is not None and (len(set(labels)) < len(labels) or len(labels) <= numbers.max(initial=-1)):
                raise ValueError(f"{name} must be different, one for each number up to {numbers.max(initial=-1)}, "
                                 f"got {labels!r:.200}")

    def _require_padding(self, name, block, inside):
        values = getattr(self, name)[block]
        if values.min(initial=-1) < -1 or ((values >= 0) != inside).any():
            right = np.where(inside, values >= 0, values == -1)
            self._require(right, name, block, "at least 0 up to the end of a trajectory and -1 past it")

    def _require(self, right, name, block, bound):
        if not right.all():
            i, t = np.argwhere(~right)[0]
            i += block.start
            raise ValueError(
                f"{name} must be {bound}, got {getattr(self, name)[i, t]} at step {t} of trajectory {i}, "
                f"whose length is {self.lengths[i]}"
            )

    def __len__(self) -> int:
        return len(self.lengths)

    @classmethod
    def from_lists(cls, states, actions, rewards) -> Self:
        """Episodes from one sequence per trajectory, of any length, for example from logged data.

        Trajectory i has equally many actions and rewards and one more state, in which it ends. Raises
        ValueError, naming the trajectory, if these numbers disagree, and as :class:`Episodes` does.
        """
        try:
            n_states, n_actions, n_rewards = ([len(part) for part in whole] for whole in (states, actions, rewards))
        except TypeError:
            raise ValueError("states, actions and rewards must each hold a sequence for every trajectory, got "
                             f"{states!r:.60}, {actions!r:.60} and {rewards!r:.60}") from None
        if not 0 < len(n_states) == len(n_actions) == len(n_rewards):
            raise ValueError(
                "states, actions and rewards must hold the same number of trajectories, at least one, "
                f"got {len(n_states)}, {len(n_actions)} and {len(n_rewards)}"
            )
        for i, (s, a, r) in enumerate(zip(n_states, n_actions, n_rewards)):
            if not s - 1 == a == r:
                raise ValueError(
                    f"rewards must have the length of actions, and states one more, got {r}, {a} and {s} in trajectory {i}"
                )
        lengths = np.array(n_actions)
        inside = np.arange(lengths.max() + 1) <= lengths[:, None]
        return cls(
            _padded("states", states, inside, -1, INDICES),
            _padded("actions", actions, inside[:, 1:], -1, INDICES),
            _padded("rewards", rewards, inside[:, 1:], 0, NUMBERS),
            lengths,
        )

    @classmethod
    def from_frame(cls, df, *, episode, time, state, action, reward, next_state=None, end_state=None,
                   states: Sequence | None = None, actions: Sequence | None = None, ends: Sequence | None = None) -> Self:
        """Episodes from a pandas DataFrame with one row for each decision, in any order.

        The other arguments name its columns. ``episode`` identifies the episode of a decision, ``time`` is when it was made
        (a number or a date, different at each step; whole numbers increase by 1), ``state`` and ``action`` are labels, all
        text or all numbers, and ``reward`` is a finite number of any sign. One of two arguments determines how an episode
        ends: ``next_state``, a column with the state after each decision, equal to ``state`` one step later; or
        ``end_state``, a column with the state where the episode ends, or the one label in ``states`` where all end. An
        episode has at least one decision. If ``ends`` lists the states in which an episode may end, any other end is an
        error; without it, a cut-off episode counts as one that ended there. The labels are kept as ``state_labels`` and
        ``action_labels``.

        ``states`` and ``actions`` are public lists of all labels, for example from a manual, whether they occur or not; they
        fix the order of the results. Any other label is then an error. Without them, the labels are taken from the data and
        sorted, and ``labels_from_data`` records this. It is *not private*: a diagnosis in the list shows that a patient had
        it. A release made from such episodes therefore states the assumption that the labels are public.

        Raises ValueError, naming the row by its index, for a missing or duplicate column, a value that is missing or of the
        wrong kind, an unknown label, a duplicate or missing step, and a state that contradicts another row.
        """
        log = sorted_log(df, episode=episode, time=time, state=state, action=action, reward=reward, next_state=next_state,
                         end_state=end_state, states=states, actions=actions, ends=ends)
        inside = np.arange(log.lengths.max() + 1) <= log.lengths[:, None]
        return cls(
            _padded("states", [log.states], inside, -1, INDICES),
            _padded("actions", [log.actions], inside[:, 1:], -1, INDICES),
            _padded("rewards", [log.rewards], inside[:, 1:], 0, NUMBERS),
            log.lengths, log.state_labels, log.action_labels, log.labels_from_data,
        )


def _padded(name, sequences, inside, past_end, types):
    # empty sequences are left out, because as arrays of doubles they would turn whole numbers into doubles
    parts = [plain(name, part) for part in sequences if len(part)]
    if any(part.ndim != 1 for part in parts):
        raise ValueError(f"{name} must hold one number for each step, got arrays of up to {max(p.ndim for p in parts)} axes")
    values = np.concatenate(parts or [np.empty(0, int)])
    known = finite(name, values)
    exact = types is INDICES and values.dtype.kind == "i"
    if types is INDICES and not exact and np.abs(known).max(initial=0) >= 2**53:
        raise ValueError(f"{name} from 2^53 on must be signed integers, as other numbers are rounded there, got "
                         f"{np.abs(known).max():.0f} of type {values.dtype}")
    padded = np.full(inside.shape, past_end, dtype=values.dtype if exact else float)
    padded[inside] = values
    fitting = compact(padded, types)
    if fitting is None:
        raise ValueError(f"{name} must be whole numbers, got {known[known != np.rint(known)][:1]}")
    return fitting


def compact(values, types):
    """``values`` in the first of ``types`` that represents all of them exactly, or None if none does."""
    with np.errstate(invalid="ignore", over="ignore"):
        return next((x for x in map(values.astype, types) if np.array_equal(x, values)), None)
