"""The cost of each decision of a game, and how much of its result was luck of the deal.

``decisions`` judges every bid and card by advice, from what its seat could know; ``luck`` has bots
replay the deals; ``work`` does both on all processors; ``results`` adds them up, for people and as
data (``docs/analysis.md``).
"""

from __future__ import annotations

from rage.analysis.decisions import Decision, Place
from rage.analysis.luck import RoundLuck
from rage.analysis.results import Analysis, AnalysisData, Side
from rage.analysis.work import WORLDS, Work, analyse

__all__ = [
    "WORLDS",
    "Analysis",
    "AnalysisData",
    "Decision",
    "Place",
    "RoundLuck",
    "Side",
    "Work",
    "analyse",
]
