"""What is sealed at rest: read with its keys alone, sealed anew with another."""

import stat

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command
from factories import NOW

from corpus_site.messaging import channels
from corpus_site.messaging.models import Channel, ChannelKind
from feeds.secrets_at_rest import KEY_FILE, SealBrokenError, seal, unseal


def test_without_a_setting_a_key_is_made_once_and_kept_for_its_owner_alone(settings):
    sealed = seal("whsec_x")

    path = settings.DATA_DIR / KEY_FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert unseal(sealed) == "whsec_x"
    assert "whsec" not in sealed
    assert [file.name for file in settings.DATA_DIR.iterdir()] == [KEY_FILE]


@pytest.mark.django_db
def test_a_key_is_changed_without_losing_what_it_sealed(settings, owner, capsys):
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.SECRETS_KEYS = [old]
    made = channels.add_channel(
        Channel(owner=owner, kind=ChannelKind.WEBHOOK, name="Hook"), "https://a.example/", NOW
    )
    settings.SECRETS_KEYS = [new, old]
    call_command("reseal_secrets")
    settings.SECRETS_KEYS = [new]

    assert unseal(Channel.objects.get().sealed) == made.secret
    assert capsys.readouterr().out == (
        "channels: 1 secret sealed anew.\naccounts: 0 secrets sealed anew.\n"
        "hub subscriptions: 0 secrets sealed anew.\n"
    )


def test_machines_that_share_a_secret_key_read_each_others_secrets(settings, tmp_path):
    settings.SECRET_KEY, settings.SECRET_KEY_IS_GIVEN = "shared by all machines", True
    sealed = seal("whsec_x")
    settings.DATA_DIR = tmp_path / "another"

    assert unseal(sealed) == "whsec_x"
    assert not (tmp_path / KEY_FILE).exists()
    settings.SECRET_KEY = "another site's"
    with pytest.raises(SealBrokenError):
        unseal(sealed)


@pytest.mark.django_db
def test_a_lost_key_is_said(settings, owner, world, hook_channel, hook_server):
    settings.SECRETS_KEYS = [Fernet.generate_key().decode()]
    assert unseal(hook_channel.row.sealed) == hook_channel.secret
    (settings.DATA_DIR / KEY_FILE).unlink()
    with pytest.raises(SealBrokenError):
        unseal(hook_channel.row.sealed)
    world.subscribe(hook_channel.row)
    world.pass_minutes(5, world.alarm)

    [delivery] = hook_channel.row.messages.get().deliveries.all()
    assert "sealed with a key that is gone" in delivery.sentence
    assert hook_server.posts == []
