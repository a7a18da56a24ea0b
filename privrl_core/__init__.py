"""The small core of *Private Reinforcement Learning*: one idea per module, with the modules grouped into wings.

``from privrl_core.policy_evaluation import dp_lsw``: a wing imports a module only when one of its names is first used, so
that each name loads no more than it needs. Imports run in one direction only: the papers' wings (`policy_evaluation`,
`functional_noise`, `offline`) import `world` and `privacy`, these import `checks` and `formatting`, and no paper's wing
imports another. The command line, ``python -m privrl_core``, may import all of them.
"""
