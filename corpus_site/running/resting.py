"""What a worker without work gives back: word types of the taggers, signatures of texts."""

from corpus_site.running import memory
from dedup.stage.texts import forget_signatures
from search.engine.annotation.afrikaans_tagger import afrikaans_tagger
from search.engine.annotation.own_languages import taggers_in_memory
from search.engine.annotation.tagger import shared_tagger


def rest() -> None:
    """Let go what makes work faster; the next work makes it anew."""
    for tagger in (shared_tagger, afrikaans_tagger):
        if tagger.cache_info().currsize:  # not loaded only to be emptied
            tagger().forget_types()
    for own in taggers_in_memory():
        own.forget_types()
    forget_signatures()
    memory.return_free()
