r"""Joint privacy: against all others together, who see everything but a person's own outputs.

Person k has an input :math:`U_k` and gets an output :math:`O_k` (her treatments). A mechanism is
:math:`(\varepsilon, \delta)`-*jointly* private if :math:`O_{-k}`, the outputs of all others together, is
:math:`(\varepsilon, \delta)`-indistinguishable when :math:`U_k` is replaced. Nothing is said of :math:`O_k`, which may be as
fitting as it likes. The three models are types, and guarantees of different models are never added up. They imply each other
in one direction only, by the billboard lemma:

* central → joint: everything that others get is computed from a private release and from what they themselves bring;
* local → joint: the same, with the noised reports as the release;
* joint → central: never, as a person's own output may give her away. Local → central is left out as well: under local
  privacy the person's treatments are not noised, and whoever publishes all treatments publishes them.

Sources: Kearns, Pai, Roth & Ullman (2014), "Mechanism Design in Large Games: Incentives and Privacy", for the definition;
Hsu, Huang, Roth, Roughgarden & Wu (2014), "Private Matchings and Allocations", for the lemma. Both from memory of the
papers, not checked against their texts; the proof is below and needs neither.
"""

from dataclasses import replace

from privrl_core.checks import instance_of
from privrl_core.privacy.guarantees import REPLACE_ONE, Guarantee, Model, Relation

__all__ = ["BILLBOARD", "FIXED_OR_PUBLIC", "billboard"]

#: What `billboard` takes for granted.
BILLBOARD = "what a person gets is computed from that person's own data and from earlier releases, and from nothing else"
#: What the composition of joint guarantees takes for granted.
FIXED_OR_PUBLIC = ("each joint mechanism has noise of its own, and was fixed in advance or chosen from releases that all "
                   "guarantees here count as seen by everybody, never from what single people were told")


def billboard(guarantee: Guarantee) -> Guarantee:
    r"""The joint guarantee for people who are treated by their own data and by releases with this guarantee.

    *Billboard lemma.* Let the sequence of all releases be :math:`(\varepsilon, \delta)`-private under *replace one*, also if
    people come who choose what they bring by earlier releases (an adaptive stream), and let each output be a function of the
    person's own input, her own randomness, and releases made before. Then the outputs are jointly
    :math:`(\varepsilon, \delta)`-private.

    Proof: fix all :math:`U_i, i \ne k`, and everybody's own randomness, k's included, which does not depend on
    :math:`U_k`. Every :math:`O_i, i \ne k`, is now a function of the releases, and what i adds to later releases a function
    of the earlier ones: :math:`O_{-k}` is post-processing of an adaptive stream's releases. Averaging over the randomness
    that was fixed keeps the inequality.

    The curve (:math:`\mu` or :math:`\rho`) is kept, as post-processing keeps it. A guarantee in the local model speaks of
    each person's report, from which all others' outputs are computed in the same way. Raises ValueError for a guarantee that
    is joint already, or under *add or remove one*, where there may be no person k to leave out: `.Guarantee.to` comes first.
    """
    instance_of(Guarantee, "guarantee", guarantee)
    if guarantee.model is Model.JOINT:
        raise ValueError(f"guarantee must be central or local to be made joint, got {guarantee}")
    if guarantee.neighbours != REPLACE_ONE and guarantee.neighbours.relation is not Relation.SUP_NORM:
        raise ValueError(f"guarantee must be under replace one, as all people stay in the others' view, got {guarantee}")
    return replace(guarantee, model=Model.JOINT, basis=f"{guarantee.basis}; joint by the billboard lemma",
                   assumes=(*guarantee.assumes, BILLBOARD))
