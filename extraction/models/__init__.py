"""Tables of the texts: rules per site, articles and comments, what sites show, evaluations.

Beside them the stage's own rows.
"""

from extraction.models.article import Article, ArticleKind, RightsSaid
from extraction.models.comment import Comment, CommentMonth, CommentThread
from extraction.models.evaluation import (
    EvaluatedPage,
    EvaluationRun,
    ExtractorSetting,
    ReferenceText,
)
from extraction.models.extraction import Extraction
from extraction.models.rules import DryRun, RereadPage, RuleVersion, SiteRule
from extraction.models.site import SiteSketch, SiteTemplate, StructureAlarm

__all__ = [
    "Article",
    "ArticleKind",
    "Comment",
    "CommentMonth",
    "CommentThread",
    "DryRun",
    "EvaluatedPage",
    "EvaluationRun",
    "Extraction",
    "ExtractorSetting",
    "ReferenceText",
    "RereadPage",
    "RightsSaid",
    "RuleVersion",
    "SiteRule",
    "SiteSketch",
    "SiteTemplate",
    "StructureAlarm",
]
