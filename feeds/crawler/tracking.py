"""Query parameters that say where a reader came from and never which page is meant.

Name and value of a parameter → whether an identity may drop it. The list is gathered from the
published lists of browsers, from Media Cloud's metadata-lib and from what newspapers write into
their own feeds.
"""

_PREFIXES = (
    "utm_",
    "mtm_",
    "pk_",
    "piwik_",
    "matomo_",
    "hsa_",
    "itm_",
    "fb_",
    "guce_",
    "_hs",
    "at_custom",
    "aspsessionid",
)
_NAMES_AS_TEXT = """
    __tn__ __twitter_impression _ga _gl _openstat at_bbc_team at_campaign at_format at_link_id
    at_link_origin at_link_type at_medium at_ptr_name campaign_id cfid cftoken cmp cmpid
    cn-reloaded dclid dicbo ef_id epik fbclid ftag gad_source gbraid gclid gclsrc guccounter
    hsctatracking icid igsh igshid ito jsessionid li_fat_id mbid mc_cid mc_eid mibextid mkt_tok
    ml_subscriber msclkid ncid nr_email_referer ns_campaign ns_fee ns_linkname ns_mchannel ns_source
    obref ocid oly_anon_id oly_enc_id outputtype phpsessid rb_clickid recip_id replytocom s_cid
    s_kwcid sc_cid share_id smid smtyp spm sr_share srsltid taid tblci trk ttclid twclid vero_id
    wbraid wickedid wprov wt.mc_id wt_mc wt_zmc wtmc xtor yclid zanpid
"""
# These carry content on some sites, so they go only with a value that names a channel.
_CHANNEL_NAMES_AS_TEXT = """
    amp campaign cid feed from medium mod origin partner ref referer referrer rss source src type
    via
"""
_CHANNELS_AS_TEXT = """
    1 atom email facebook fb feed google googlenews home homepage instagram linkedin newsletter push
    rss rss2 share social syndication telegram true tw twitter whatsapp x
"""
_NAMES = frozenset(_NAMES_AS_TEXT.split())
_CHANNEL_NAMES = frozenset(_CHANNEL_NAMES_AS_TEXT.split())
_CHANNELS = frozenset(_CHANNELS_AS_TEXT.split())
_NUMBERED_NAMES = frozenset({"cid", "src", "type"})  # "cid=1" is a content id, not "yes"


def is_tracking(name: str, value: str) -> bool:
    """Tell whether the parameter names a channel, a campaign or a session.

    Parameters
    ----------
    name, value
        As they stand in the query, not decoded; upper and lower case are the same.

    Examples
    --------
    >>> is_tracking("utm_source", "x"), is_tracking("ref", "rss"), is_tracking("ref", "main")
    (True, True, False)
    """
    name = name.lower()
    if name in _NAMES or name.startswith(_PREFIXES):
        return True
    if name not in _CHANNEL_NAMES:
        return False
    if not value or value == "1":
        return name in {"amp", "rss"} or (value == "1" and name not in _NUMBERED_NAMES)
    return value.lower() in _CHANNELS
