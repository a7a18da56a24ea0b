r"""The reader is the hospital: treats patients, sees what came of it, or only noisy sums of it, and loses recoveries.

Everything is drawn in Python and stored: what each patient would have with each treatment, and the noise of each sum. The
rules of the package treat the same patients, so that their losses stand beside the reader's::

    treat(name="be_the_hospital", question="Which treatment is best?", means=(0.8, 0.6, 0.4),
          noise=LaplaceNoise.of_epsilon(1.0).draw(1.0, (16, 200), noise_rng), epsilons=(1.0, 0.3), sizes=(1, 5, 25),
          rule=ucb, private_rule=ucb_without_forgetting, rng=rng, noise_rng=noise_rng, caption="...", alt="...")
"""

from privrl_core.pages.hospital.hospital import Hospital, Hospitals, View, treat

__all__ = ["Hospital", "Hospitals", "View", "treat"]
