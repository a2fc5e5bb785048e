"""What two texts are to each other; the values are what the database stores."""

from enum import StrEnum


class Relation(StrEnum):
    """How the later of two texts follows from the earlier one."""

    REPOST = "repost"  # the same text, at most a few words apart
    TRIMMED = "trimmed"  # the later text is a part of the earlier one
    UPDATE = "update"  # the later text holds the earlier one and more
    NEAR = "near"  # near-duplicates that differ in some other way
    PART = "part"  # one text stands inside the other, which has a body of its own
    SIMILAR = "similar"  # pairs of the sentence method below its limit for duplicates
