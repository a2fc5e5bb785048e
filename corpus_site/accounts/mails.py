"""Mails that carry a link for a password; without a mail server the link is shown to the admin."""

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string

from corpus_site.accounts.models import User

log = logging.getLogger(__name__)


def can_send() -> bool:
    """Whether the settings name a server that takes mail."""
    return bool(settings.EMAIL_URL)


_SUBJECTS = {
    "invitation": "Your account at Broadsheet",
    "password": "A new password at Broadsheet",
}


def send_link(user: User, link: str, template: str) -> bool:
    """Send a whole address to a person; False where no mail leaves. `template` names the text."""
    if not can_send() or not user.email:
        return False
    text = render_to_string(f"accounts/mails/{template}.txt", {"user": user, "link": link})
    try:
        send_mail(_SUBJECTS[template], text, None, [user.email])
    except (SMTPException, OSError) as error:
        log.warning("A mail to a person of this site was not sent: %s", error)
        return False
    return True
