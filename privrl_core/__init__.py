"""The small core of *Private Reinforcement Learning*: one idea to a module, imported by name.

``from privrl_core.policy_evaluation import dp_lsw``: nothing is imported here, so that each module costs
what it needs and no more.
"""
