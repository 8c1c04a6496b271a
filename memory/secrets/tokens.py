"""Tokens that are known by their own shape, wherever they stand: those of `token_shapes`, those of all who follow their
fashion (`vendor_` before a long random text), web tokens, and the paths of web hooks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memory.secrets.values import is_drawn, is_placeholder

TOKEN_SHAPES: Final = (
    # where code lives
    r"gh[pousr]_[A-Za-z0-9]{30,255}",
    r"github_pat_\w{50,255}",
    r"gl(?:pat|rt|rtr|dt|oas|soat|ptt|ft|imt|agent|cbt|ffct|wt)-[\w-]{18,300}(?:\.\w{2,64})*",
    r"GR1348941[\w-]{20}",
    r"ATBB[A-Za-z0-9]{32}",
    r"AT[AC]TT3[\w=-]{60,400}",
    r"npm_[A-Za-z0-9]{36}",
    r"pypi-AgE[\w-]{50,1000}",
    r"rubygems_[a-f0-9]{48}",
    r"cio[A-Za-z0-9]{32}",
    r"CLOJARS_[a-z0-9]{60}",
    r"oy2[a-z0-9]{43}",
    r"dckr_[a-z]{3}_[\w-]{20,64}",
    r"AKCp[A-Za-z0-9]{10,80}",
    r"cmVmdGtu[A-Za-z0-9]{56}",
    r"bk[a-z]{2}_[A-Za-z0-9]{40}",
    r"CCIP[AR]T_[\w-]{20,80}",
    r"sq[uap]_[a-f0-9]{40}",
    r"sgp_[\w-]{40,80}",
    r"sntry[su]_[\w+/=-]{40,500}",
    r"glc_[A-Za-z0-9+/=]{32,400}",
    r"phc_[A-Za-z0-9]{40,50}",
    r"phx_[A-Za-z0-9]{40,50}",
    # clouds
    r"A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])",
    r"ABSK[A-Za-z0-9+/]{100,300}=*",
    r"AIza[\w-]{35}",
    r"GOCSPX-[\w-]{28}",
    r"ya29\.[\w.-]{30,1000}",
    r"1//0[\w-]{40,200}",
    r"[\w~.]{3}\dQ~[\w~.-]{31,34}",
    r"do[opr]_v1_[a-f0-9]{64}",
    r"LTAI[A-Za-z0-9]{12,20}(?![A-Za-z0-9])",
    r"AKID[A-Za-z0-9]{13,40}",
    r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}",
    r"hv[sbr]\.[\w-]{24,300}",
    r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}",
    r"pul-[a-f0-9]{40}",
    r"dapi[a-f0-9]{32}(?:-\d)?",
    r"dp\.[a-z]{2,5}\.[\w.-]{40,80}",
    r"pscale_[a-z]{2,5}_[\w.=-]{32,64}",
    r"sb[ps]_[a-f0-9]{40}",
    r"HRKU-[\w-]{36,60}",
    r"nf[a-z]_[A-Za-z0-9]{36,40}",
    r"tskey-[\w-]{20,100}",
    r"fm[12][a-z]?_[A-Za-z0-9+/=_-]{60,1000}",
    r"sha256~[\w-]{43}",
    r"t1\.[A-Z0-9a-z_-]{60,400}=*\.[\w=-]{40,100}",
    r"AQVN[\w-]{35,38}",
    r"lsv2_[a-z]{2}_[a-f0-9]{32}_[a-f0-9]{10}",
    r"s-s4t2(?:ud|af)-[a-f0-9]{64}",
    # messages, mail, payments
    r"xox[a-z](?:\.xox[a-z])?-[\w-]{10,300}",
    r"xapp-\d-[\w-]{20,200}",
    r"SG\.[\w-]{16,32}\.[\w-]{30,64}",
    r"xkeysib-[a-f0-9]{64}-\w{16}",
    r"key-[a-f0-9]{32}",
    r"[a-f0-9]{32}-us\d{1,2}(?!\d)",
    r"SK[a-f0-9]{32}(?![a-f0-9])",
    r"\d{8,10}:AA[\w-]{32,35}",
    r"[MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6}\.[\w-]{27,38}",
    r"[spr]k_(?:live|test|prod)_\w{16,255}",
    r"whsec_[A-Za-z0-9+/=]{24,100}",
    r"EAA[A-Za-z0-9_-]{50,300}",
    r"sq0[a-z]{3}-[\w-]{22,43}",
    r"shp[a-z]{2,3}_[a-fA-F0-9]{32}",
    r"access_token\$\w+\$[a-z0-9]{16}\$[a-f0-9]{32}",
    r"FLW(?:PUB|SEC)K(?:_TEST)?-[a-h0-9]{12,64}(?:-X)?",
    r"EZ[AT]K[A-Za-z0-9]{54}",
    r"shippo_[a-z]{4}_[a-f0-9]{40}",
    r"live_[\w-]{40}",
    r"duffel_(?:test|live)_[\w=-]{43}",
    r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
    r"pat-[a-z]{2}\d-[a-f0-9-]{36}",
    r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}",
    r"figd_[\w-]{40}",
    r"lin_[a-z]{3,6}_[A-Za-z0-9]{32,64}",
    r"secret_[A-Za-z0-9]{43}",
    r"ntn_[A-Za-z0-9]{40,60}",
    r"tfp_[\w.-]{40,64}",
    r"sl\.[\w-]{100,1200}",
    r"CFPAT-[\w-]{43}",
    r"CMPAT-[\w-]{20,64}",
    r"rdme_[a-z0-9]{70}",
    r"\d/\d{10,20}(?:/\d+)?:[a-f0-9]{32}",
    r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}",
    r"NR(?:AK|II|JS|RA|BR|AA)-[\w-]{19,40}",
    r"gl[a-z]{1,2}_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}",
    r"pnu_[A-Za-z0-9]{36}",
    r"sdk-[a-f0-9]{8}-[a-f0-9-]{27}",
    r"SWM(?:TKN|KEY)-1-[\w-]{40,100}",
    r"BBDC-[\w+/=@]{40,60}",
    r"fio-u-[\w=-]{60,70}",
    r"dnkey-[\w=-]{50,120}",
    r"cnvca[\w-]{44,60}",
    r"[ps]at\.[\w-]{20,30}\.[a-f0-9]{24}\.\w{20}",
    r"CCDB1_\w{40,80}",
    r"sk_[a-f0-9]{40,64}",
    r"glimt-[\w-]{20,40}",
    r"AQ\.Ab8[\w-]{40,100}",
    # models
    r"sk-ant-[\w-]{20,200}",
    r"sk-(?:proj|svcacct|admin|or|None|lf)-[\w-]{20,300}",
    r"sk-\w{20}T3BlbkFJ\w{20}",
    r"sk-[A-Za-z0-9]{32,64}",
    r"hf_[A-Za-z]{30,40}",
    r"api_org_[A-Za-z]{34}",
    r"gsk_[A-Za-z0-9]{48,56}",
    r"xai-[A-Za-z0-9_-]{70,90}",
    r"pplx-[A-Za-z0-9]{40,64}",
    r"r8_[A-Za-z0-9]{37}",
    r"pcsk_\w{40,80}",
    r"nvapi-[\w-]{60,80}",
    r"fw_[A-Za-z0-9]{24,40}",
    r"pa-[A-Za-z0-9_-]{40,48}",
    r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}",
    # keys, and hashes of passwords without a comma or a brace in them
    r"AGE-SECRET-KEY-1[A-Z0-9]{58}",
    r"AGE-PLUGIN-[A-Z0-9-]{40,200}",
    r"ops_eyJ[\w-]{100,2000}",
    r"A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){4,5}",
    r"\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}",
    r"\$(?:[156y]|apr1)\$[\w./=$-]{20,160}",
)

_RUN: Final = re.compile(r"(?<![\w.~:/+=$@-])[\w.~:/+=$@-]{20,}", re.ASCII)
"""Where a token may stand: all of them are longer than most words."""

_FASHION: Final = (
    r"(?<![\w+/.~-])(?<!sha\d{3}[=:-])(?!sha\d|md5|h1:)"
    r"(?!(?:call|toolu|tooluse|chatcmpl|req|msg|run|resp|file|asst|thread|evt|cus|price|prod|sub|acct"
    r"|usr|user|org|proj)[_-])"
    r"[A-Za-z][A-Za-z0-9]{1,11}(?:[_-][A-Za-z0-9]{1,10}){0,2}[_.:-](?P<drawn>[A-Za-z0-9]{20,200})(?![A-Za-z0-9+/=])"
)

_DRAWN: Final = re.compile(r"[A-Za-z0-9+/_-]{24,200}")
_SET: Final = re.compile(r"[:=][ \t\"']*$")
_CHECKSUM: Final = re.compile(
    r"(?:sha|md|hash|digest|integrity|checksum|etag|blob|cert|public|ca_?bundle|fingerprint|thumbprint)"
    r"[\w\-.\"' ]*[:=\-][ \"']*$",
    re.IGNORECASE,
)

_BEFORE: Final = 60
_LONG: Final = 32
_TOKEN: Final = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(TOKEN_SHAPES)}|{_FASHION})", re.ASCII)
_JWT: Final = re.compile(r"(?<![\w-])eyJ[\w-]{10,}(?:\.[\w-]*){2,4}", re.ASCII)
_HASH: Final = re.compile(
    r"\$argon2(?:id?|d)\$v=\d{1,3}\$m=\d{1,9},t=\d{1,5},p=\d{1,5}\$[\w+/.-]{8,100}\$[\w+/.=-]{16,200}"
    r"|(?<!\w)pbkdf2_sha\d{1,3}\$\d{1,9}\$[\w+/.=-]{8,64}\$[\w+/=]{20,200}"
    r"|(?<!\w)(?:pbkdf2|scrypt):[\w:]{3,30}\$[A-Za-z0-9]{8,40}\$[a-f0-9]{40,128}"
    r"|(?<!\w)SCRAM-SHA-\d{1,3}\$\d{1,9}:[\w+/=]{16,64}\$[\w+/=]{20,100}:[\w+/=]{20,100}"
    r"|(?<![\w$])\$[PHS]\$[./A-Za-z0-9]{31,52}"
    r"|\{(?:S?SHA(?:256|512)?|SMD5)\}[A-Za-z0-9+/]{22,120}=*",
    re.ASCII,
)
_HASHES: Final = ("$argon2", "pbkdf2", "scrypt:", "SCRAM-SHA", "$P$", "$H$", "$S$", "{S")
"""One of these is in every hash of a password that `TOKEN_SHAPES` does not have; a search for them is quick."""
_HOOK: Final = re.compile(
    r"(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/|discord(?:app)?\.com/api/webhooks/"
    r"|\.webhook\.office\.com/webhookb2/"
    r"|chat\.googleapis\.com/v1/spaces/[\w-]{1,40}/messages\?|hooks\.zapier\.com/hooks/catch/|api\.telegram\.org/bot)"
    r"(?P<path>[^\s\"'`<>)]{14,600})"
)

_CASES: Final = (re.compile("[A-Z]"), re.compile("[a-z]"), re.compile("[0-9]"))
_LOWER: Final = re.compile(r"(?=[a-z0-9]*[g-z])(?:[a-z]*[0-9]){4}[a-z0-9]*")


def token_spans(text: str, *, settings: bool) -> Iterator[tuple[int, int]]:
    """Where they stand. settings: the file holds values by name, and a drawn text of no known shape is a token too."""
    for run in _RUN.finditer(text):
        start, end = run.span()
        for found in _TOKEN.finditer(text, start, end):
            group = "drawn" if found["drawn"] else 0
            if (not group or _is_of_a_machine(found["drawn"])) and not is_placeholder(found[0]):
                yield found.span(group)
        if settings:
            yield from _value(text, start, end)
    if "eyJ" in text:
        yield from (found.span() for found in _JWT.finditer(text) if not is_placeholder(found[0]))
    for found in _HASH.finditer(text) if any(mark in text for mark in _HASHES) else ():
        yield found.span()
    for found in _HOOK.finditer(text) if any(mark in text for mark in ("hook", "/v1/spaces/", "/bot")) else ():
        if not is_placeholder(found["path"]):
            yield found.span("path")


def _value(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What is at the end of a run, if it is the value of a setting and drawn by a machine, and no checksum."""
    while text[end - 1] == "=" and end > start:
        end -= 1
    first = max(start, text.rfind("=", start, end) + 1, text.rfind(":", start, end) + 1)
    value = text[first:end]
    if _DRAWN.fullmatch(value) and _is_of_all_cases(value):
        before = text[max(0, first - _BEFORE) : first]
        if _SET.search(before) and not _CHECKSUM.search(before):
            yield first, end


def _is_of_all_cases(value: str) -> bool:
    return is_drawn(value) and all(case.search(value) for case in _CASES)


def _is_of_a_machine(value: str) -> bool:
    """Drawn from letters of both cases and digits, or a long one of small letters and digits that is no hash."""
    return _is_of_all_cases(value) or (len(value) >= _LONG and _LOWER.fullmatch(value) is not None and is_drawn(value))
