"""The small core of *Private Reinforcement Learning*: one idea to a module, in wings of a few.

``from privrl_core.policy_evaluation import dp_lsw``: a wing imports a module when a name of it is first used, so that
each name costs what it needs and no more. Arrows run downwards only: the papers' wings (`policy_evaluation`,
`functional_noise`, `offline`) import `world` and `privacy`, these import `checks` and `formatting`, and no wing of a paper
imports another. Above all wings stands the command line, ``python -m privrl_core``.
"""
