"""Tables of the twins: sentence hashes, pairs of like texts, clusters, and the stage's own rows.

Marks, never deletes.
"""

from dedup.models.detection import Detection
from dedup.models.duplicate import Duplicate, Relation, Verdict
from dedup.models.sentence import SentenceHash
from dedup.models.story import StoryCluster

__all__ = ["Detection", "Duplicate", "Relation", "SentenceHash", "StoryCluster", "Verdict"]
