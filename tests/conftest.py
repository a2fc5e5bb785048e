"""What all tests share: property tests may take the time they need, however busy the machine."""

from hypothesis import settings

settings.register_profile("without deadline", deadline=None)
settings.load_profile("without deadline")
