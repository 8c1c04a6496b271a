"""Questions with known answers, how they are scored, and the run over a whole file."""

from __future__ import annotations

from evaluation.runner import METRICS, Question, QuestionFile, evaluate, read_questions

__all__ = ["METRICS", "Question", "QuestionFile", "evaluate", "read_questions"]
