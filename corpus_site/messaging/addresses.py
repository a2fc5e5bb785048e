"""Addresses that work without signing in: signed, or with a key that nobody can guess.

Whoever has one may do that one thing: end a subscription, agree to messages, read a feed.
"""

import hashlib
import secrets
from enum import StrEnum

from django.core.signing import BadSignature, Signer
from django.urls import reverse

from corpus_site.messaging.content import absolute
from corpus_site.messaging.models import Channel, Message

_KEY_BYTES = 32  # 256 bits: nobody guesses one


class Wish(StrEnum):
    """What a signed address is for; one for another does not open it."""

    END = "end"  # a subscription
    LEAVE = "leave"  # all of a channel
    CONFIRM = "confirm"  # agree to messages


def signed(wish: Wish, pk: int) -> str:
    return Signer(salt=f"messaging.{wish}").sign(str(pk))


def unsigned(wish: Wish, text: str) -> int:
    """Read the number of a row that was signed for a wish; 0, which is no row's, if it was not."""
    try:
        return int(Signer(salt=f"messaging.{wish}").unsign(text))
    except (BadSignature, ValueError):
        return 0


def unsubscribe_address(message: Message) -> str:
    """Return the address that ends a message's subscription, else its channel."""
    if message.subscription_id is not None:
        return absolute(reverse("message-end", args=[signed(Wish.END, message.subscription_id)]))
    return absolute(reverse("message-leave", args=[signed(Wish.LEAVE, message.channel_id)]))


def confirm_address(channel: Channel) -> str:
    """Return the address by which a mail's reader agrees."""
    return absolute(reverse("message-confirm", args=[signed(Wish.CONFIRM, channel.pk)]))


def new_key() -> str:
    return secrets.token_urlsafe(_KEY_BYTES)


def digest_of(key: str) -> str:
    """Name a key by which its row is found again."""
    return hashlib.sha256(key.encode()).hexdigest()


def feed_address(key: str) -> str:
    return absolute(reverse("message-feed", args=[key]))
