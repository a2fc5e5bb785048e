"""The parameters of stories."""

from feeds.parameters.parameter import Parameter

STORIES = (
    Parameter(
        "STORY_MINUTES",
        "Time between two passes that group reports of one event",
        "minutes",
        1,
        1_440,
        "Passes over windows of more than 2,000 texts; smaller ones are passed at once.",
        "each 20 minutes",
    ),
    Parameter(
        "STORY_WINDOW_DAYS",
        "Days around an article in which reports of its event are looked for",
        "days",
        1,
        30,
        "Texts from the next pass on; stories that are found stay.",
    ),
)
