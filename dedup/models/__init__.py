"""Tables of the twins: fingerprints, sentence hashes, pairs of like texts, decisions, clusters.

Beside them the stage's own rows. Marks, never deletes.
"""

from dedup.models.decision import Decision, DecisionKind, Judgement
from dedup.models.detection import Detection
from dedup.models.detection_method import DetectionMethod
from dedup.models.duplicate import APART, RELATION_WORDS, Duplicate, Verdict
from dedup.models.fingerprint import EnteredText, Fingerprint
from dedup.models.sentence import SentenceHash
from dedup.models.story import StoryCluster, StoryPass, StoryReport
from dedup.models.threshold_trial import ThresholdTrial

__all__ = [
    "APART",
    "RELATION_WORDS",
    "Decision",
    "DecisionKind",
    "Detection",
    "DetectionMethod",
    "Duplicate",
    "EnteredText",
    "Fingerprint",
    "Judgement",
    "SentenceHash",
    "StoryCluster",
    "StoryPass",
    "StoryReport",
    "ThresholdTrial",
    "Verdict",
]
