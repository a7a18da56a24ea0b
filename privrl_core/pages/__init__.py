"""Components of the book's pages: sliders, figures, exercises, and the claims ledger."""

from privrl_core.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    exercises=["Mistake", "Exercise", "close_to"],
    ledger=["Verdict", "HOLDS", "LOOSE", "DEPARTS", "FAILS", "NOT_CHECKED", "Evidence", "MEASURED", "EXHAUSTIVE", "EXACT",
            "INTERVAL", "PROVED", "FORMAL", "Finding", "judge", "not_checked", "Claim", "claim", "address", "rounded",
            "rows", "typeset", "claims", "summary", "STORED"],
    ledger_pages=["index", "paper_page"],
    theme=["PALETTE", "DASHES", "REFERENCE", "REFERENCE_DASHES", "use_theme"],
)
