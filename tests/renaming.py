"""The example organisation under other names: every service, table and class by a seeded map to made-up words.

Nothing in an answer may hang on what things are called. `Names` rewrites a text, a path or a question alike, in all the
styles a name is written in: `orders`, `Order`, `order_id`, `order-id`, `ORDER_ID`, `order.placed`, `OrderService`.
"""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

SHOP = Path(__file__).parents[1] / "examples/shop"

WORDS = (
    *("auth", "billing", "catalogue", "crm", "notification", "order", "payment", "platform", "shopbus"),  # services
    *("customer", "invoice", "product", "shelf"),  # tables
    *("delivery", "registration", "reservation", "undeliverable"),  # classes
)
COMPOUND = ("refresh_tokens", "follow_ups")
CLASSES = (
    *("AddressTaken", "CardDeclined", "ContactImport", "EventBus", "FollowUp", "GatewayTimeout"),
    *("ImportReport", "MessageConsumer", "OrderService", "PaymentAdapter", "PaymentGateway", "PaymentHandler"),
    *("PaymentUnavailable", "StockKeeper", "UnknownInvoice"),
)
KEPT = ("order_by", "ORDER BY", "in the order of")
"""What only looks like a name."""

_CONSONANTS, _VOWELS, _ENDS = "bdfgklmnprtvz", "aeiou", "bkmnrtvx"
_RUN = re.compile(r"[A-Za-z]+")
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


class Made:
    """Words that no language has, each once, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - names, not secrets
        self._said: set[str] = set()

    def word(self) -> str:
        """Two or three syllables, ending on a consonant that no ending of English has."""
        while True:
            syllables = [self._random.choice(_CONSONANTS) + self._random.choice(_VOWELS) for _ in range(2)]
            word = "".join(syllables) + self._random.choice(_CONSONANTS[:6]) + self._random.choice(_VOWELS)
            word += self._random.choice(_ENDS)
            if word not in self._said:
                self._said.add(word)
                return word


class Names:
    """A seed's map, applied to any text."""

    def __init__(self, seed: int) -> None:
        made = Made(seed)
        self.words = {word: made.word() for word in WORDS}
        self.classes = {name: "".join(made.word().title() for _ in _PIECE.findall(name)) for name in CLASSES}
        compounds = {name: f"{made.word()}_{made.word()}s" for name in COMPOUND}
        self._whole = {
            old: new
            for name, other in self.classes.items()
            for old, new in zip(_styles(name), _styles(other), strict=True)
        }
        self._whole |= compounds | {kept: kept for kept in KEPT}
        longest_first = sorted(self._whole, key=len, reverse=True)
        self._pattern = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(map(re.escape, longest_first))})(?![A-Za-z])|[A-Za-z]+")

    def __call__(self, text: str) -> str:
        """The text under this seed's names."""
        return self._pattern.sub(lambda found: self._whole.get(found[0]) or _PIECE.sub(self._piece, found[0]), text)

    def _piece(self, found: re.Match[str]) -> str:
        piece = found[0]
        one = piece.lower()
        plural = one not in self.words and one.endswith("s") and one[:-1] in self.words
        new = self.words.get(one[:-1] if plural else one)
        if new is None:
            return piece
        new += "s" * plural
        return new.upper() if piece.isupper() and len(piece) > 1 else new.title() if piece[0].isupper() else new


def _styles(name: str) -> tuple[str, ...]:
    pieces = [piece.lower() for piece in _PIECE.findall(name)]
    several = ("_".join(pieces), "-".join(pieces)) if len(pieces) > 1 else ()
    return (name, *several)


def write_renamed(root: Path, names: Names) -> Path:
    """The shop below `root`, its paths and its texts renamed; the notes about the example stay behind."""
    for source in sorted(SHOP.glob("*/**/*")):
        if source.is_file() and "__pycache__" not in source.parts:
            target = root / names(source.relative_to(SHOP).as_posix())
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(names(source.read_text(encoding="utf-8")), encoding="utf-8")
            shutil.copymode(source, target)
    return root
