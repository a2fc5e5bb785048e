"""Tables of the texts: rules per site, articles and comments, what sites show, evaluations.

Beside them the stage's own rows.
"""

from extraction.models.article import Article, ArticleKind, RightsSaid
from extraction.models.capture import Capture, CaptureFound
from extraction.models.collection import CollectedField, CollectedText
from extraction.models.comment import Comment, CommentMonth, CommentThread
from extraction.models.correction import ArticleCorrection, CorrectionChange, Placing
from extraction.models.evaluation import (
    EvaluatedPage,
    EvaluationRun,
    ExtractorSetting,
    ReferenceText,
)
from extraction.models.extraction import Extraction
from extraction.models.post_reply import PostReply
from extraction.models.rights import RightsReview
from extraction.models.rules import DryRun, RereadPage, RuleVersion, SiteRule
from extraction.models.site import SiteSketch, SiteTemplate, StructureAlarm
from extraction.models.source_import import SourceImport
from extraction.models.version import ArticleVersion, VersionOutcome
from extraction.models.withdrawal import Erasure, Measure, Subject, Withdrawal

__all__ = [
    "Article",
    "ArticleCorrection",
    "ArticleKind",
    "ArticleVersion",
    "Capture",
    "CaptureFound",
    "CollectedField",
    "CollectedText",
    "Comment",
    "CommentMonth",
    "CommentThread",
    "CorrectionChange",
    "DryRun",
    "Erasure",
    "EvaluatedPage",
    "EvaluationRun",
    "Extraction",
    "ExtractorSetting",
    "Measure",
    "Placing",
    "PostReply",
    "ReferenceText",
    "RereadPage",
    "RightsReview",
    "RightsSaid",
    "RuleVersion",
    "SiteRule",
    "SiteSketch",
    "SiteTemplate",
    "SourceImport",
    "StructureAlarm",
    "Subject",
    "VersionOutcome",
    "Withdrawal",
]
