"""Private policy evaluation: the mechanisms of Balle, Gomrokchi & Precup (2016), and today's alternative."""

from privrl_core.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    excess_risk=["lsw_excess_risk", "lsl_excess_risk", "peak", "peak_as_printed", "capped_peak", "capped_peak_as_printed",
                 "lsw_bound", "lsw_bound_as_printed", "lsw_bound_as_printed_in_the_text", "lsl_bound",
                 "lsl_bound_as_printed"],
    first_visits=["FirstVisitStatistics", "first_visit_statistics", "first_visit_returns"],
    mechanisms=["ParametersRelease", "dp_lsw", "dp_lsl", "noise_scale_lsw_non_private", "noise_scale_lsl_non_private"],
    regression=["tabular_features", "aggregated_features", "lsw", "lsl"],
    smooth_bounds=["smooth_bound_lsw", "smooth_bound_lsl", "lsl_sensitivity_as_printed", "lsl_sensitivity_improved"],
    sufficient_statistics=["SufficientStatisticsRelease", "dp_sufficient_statistics", "shrunken_values"],
    worst_case=["farthest_neighbours"],
)
