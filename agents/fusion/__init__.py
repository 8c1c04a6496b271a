"""Ways to make one ranking of several: one algorithm a file."""

from agents.fusion.convex import convex
from agents.fusion.dbsf import dbsf
from agents.fusion.rrf import best_attainable, rrf

__all__ = ["best_attainable", "convex", "dbsf", "rrf"]
