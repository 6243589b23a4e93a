#!/usr/bin/python3
# Copyright (C) the ngx_miqps authors
"""Writes query strings that parsers disagree about, one a line.

The same count and seed give the same bytes.  No line holds a control byte;
every other byte can occur.  A query is made by one of the recipes at the end
of this file, each with its weight, and some are then damaged at random.

Names are drawn from few letters, so that the same name comes in several
spellings within one query more often than not.
"""

import argparse
import random
import sys


BASES = ["a", "b", "c", "a", "b", "id", "q", "page", "size", "color", "x"]

ODD_BASES = [
    "__proto__", "constructor", "hasOwnProperty", "toString", "length",
    "GLOBALS", "this", "_GET", "keywords", "utf8", "_charset_", "0", "1",
    "10", "-1", "A", "ID", "Page", "", "_", "-", "~", ".", "a-b", "%C3%A9",
    "%e2%82%ac", "caf%C3%A9", "%F0%9F%98%80", "%0Aa", "a%0a", "a%09", "%25",
    "a%25b", "a%2Bb", "a%2fb", "a%3Ab", "a%3fb", "a:b", "a/b", "a@b", "a,b",
    "a!", "$a", "(a)", "*", "a'b", "a%22b", "a%C2%A0b", ".submit",
    "%EF%BB%BFa", "a%EF%BB%BF", "%09a", "a%255B%255D", "a%2561", "a%25",
]

TRACKERS = [
    "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content",
    "utm_id", "fbclid", "gclid", "msclkid", "mc_cid", "mc_eid", "_ga",
    "dclid", "yclid", "igshid", "gbraid", "wbraid", "twclid", "ttclid",
]

TRACKER_KIN = [
    "utm.source", "utm+source", "utm%20source", "utm%5Fsource", "utm%2Esource",
    "utm%2esource", "utm_source[]", "utm_source%5B%5D", "utm_source%5b0%5d",
    "utm_source[a]", "utm_source[a][b]", "UTM_SOURCE", "fbcli%64", "fbclid[]",
    "%66bclid", "utm_", "utm", "gclid.x", "gclid_", "utm_%C3%A9", "xutm_source",
]

VALUES = [
    "", "0", "1", "1", "2", "2", "3", "red", "x", "y", "10", "a", "-5",
    "1.50", "true", "blue+green", "blue%20green", "%41", "%7euser", "%7Euser",
    "a%26b", "a%3Db", "a%3db", "a=b", "==", "a%2fb", "a/b", "a?b", "?", "a:b",
    "a,b", "%2B", "%2b1", "%25", "%2541", "%25u0041", "%25zz", "caf%C3%A9",
    "caf%c3%a9", "%E2%82%AC", "%f0%9f%98%80", "[1]", "a[b]", "%5B1%5D",
    "%5b1%5d", "a]", "%EF%BB%BF1", "%0a", "%0D%0A", "%09", "%3B", "%23",
    "null", "[]",
    "{%22a%22:1}", "~", "%2E%2e", "+", "%20", "on", "$", "'", "(1)", "*",
]

# not UTF-8 when unescaped, or not ASCII as they stand
BYTE_VALUES = [
    b"%ff", b"%FF%41", b"%e9t%e9", b"%E9", b"%c0%af", b"%C0%AF", b"%ed%a0%80",
    b"%ED%A0%BD%ED%B8%80", b"%C3", b"%c3%41", b"%f4%90%80%80", b"%E2%82",
    b"%e2%82x", b"%82%a0%61", b"%41%ff", b"caf\xc3\xa9", b"\xe9t\xe9",
    b"\xff", b"%C3\xa9", b"\xc3%A9", b"\xe2\x82\xac%e2%82%ac", b"%a0",
]

OPAQUE_PIECES = [
    b"a=1;b=2", b";", b"a;b", b"a=%", b"a=%z", b"a=%zz", b"a=%4", b"%",
    b"%zz=1", b"a=%u0041", b"%u0061=1", b"a=%00", b"utm_source%00=1",
    b"%00a=1", b"a%26b=1", b"a%3Db=1", b"a%3d=1", b"%26=1", b"?a=1", b"?",
    b"+a=1", b"%20a=1", b"++a=1", b"a =1", b" a=1", b"a= 1", b"a[=1",
    b"a]=1", b"]=1", b"[=1", b"[]=1", b"[a]=1", b"%5Ba%5D=1", b"a[b=1",
    b"a[[b]]=1", b"a[b]c=1", b"a[b]c[d]=1", b"a][b=1", b"a[b]]=1", b"a]b[=1",
    b"a[]b=1", b"a[%5B]=1", b"a[b%5D]=1", b"a%5B%5D%5D=1", b"a%5B=1",
    b"a%5b=1", b"a%5D=1", b"a%5B%5Bb%5D=1", b"a[b",
    b"a[b.c=1", b"a.b[=1", b"a=x]=y", b"a=x%5D=y", b"a=[b]=c", b"a[b]=c]=d",
    b"utm_source=x]=y", b"%ff=1", b"a%ff=1", b"a%C3=1", b"\xe9=1",
    b"a\xc3\xa9=1", b"utm_%ff=1", b"%ed%a0%80=1", b"%c0%80=1",
    b"token=8f14e45fceea167a5a36dedd4bea2543",
    b"X-Amz-Signature=0f0f0f0f0f0f0f0f", b"code=abc&state=def",
]

WORDS = ["foo", "bar", "foo+bar", "a+b+c", "print", "%66oo", "foo%20bar", "a",
         "foo%2Bbar", "x-y", "keywords", "utm_source", "fbclid", "a.b", "1",
         "a[]", "caf%C3%A9", "%e9"]

SHOP_NAMES = [
    "q", "page", "sort", "size", "color", "price_min", "price_max", "brand",
    "category", "variant", "sku", "lang", "currency", "view", "per_page",
    "filter[color]", "filter[size][]", "filter%5Bbrand%5D%5B%5D", "prefn1",
    "prefv1", "start", "sz", "cgid", "order_by", "in_stock", "ref", "sid",
    "attributes.color", "attributes.size", "f[0]", "f[1]", "f%5B0%5D",
]

DAMAGE = [b"&", b"&", b"=", b"[", b"]", b"%5B", b"%5D", b"%", b".", b"+",
          b"_", b"?", b"%20", b"%3D", b"%26", b"[]", b"]=", b"%2E", b"%c3",
          b"\xe9", b"a", b"&a", b"&=", b"%00", b";", b"&&", b"%61", b" "]


class Maker:
    """The recipes, over one source of random numbers."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.chance = self.rng.random
        self.pick = self.rng.choice

    def count(self, low, high):
        return self.rng.randrange(low, high + 1)

    def spell(self, text):
        """Escapes a letter or two of a name, in either case of hex."""

        if self.chance() > 0.2:
            return text

        out = []

        for c in text:
            if c.isalnum() and c.isascii() and self.chance() < 0.4 \
                    and "%" not in text:
                form = "%%%02x" if self.chance() < 0.5 else "%%%02X"
                out.append(form % ord(c))
            else:
                out.append(c)

        return "".join(out)

    def bracket(self):
        """One pair of brackets, raw or escaped."""

        inner = self.pick(["", "", "0", "1", "2", "b", "a", "21", "b.c", "+",
                           "-1", "00", "%62", "length", "__proto__", "x",
                           "b%20c", "%C3%A9"])

        left, right = self.pick([("[", "]"), ("[", "]"), ("%5B", "%5D"),
                                 ("%5b", "%5d"), ("[", "%5D"), ("%5B", "]")])

        return left + inner + right

    def name(self, bases=None):
        base = self.pick(bases or BASES)

        if bases is None and self.chance() < 0.06:
            base = self.pick(ODD_BASES)

        if self.chance() < 0.25:
            base += self.pick([".", "_", "+", "%20", "%2E", "%2e", "%5F",
                               "-", "%2B"])
            base += self.pick(["a", "b", "", "id"])

        base = self.spell(base)

        if self.chance() < 0.25:
            depth = self.pick([1, 1, 1, 1, 2, 2, 3])
            base += "".join(self.bracket() for _ in range(depth))

        return base

    def value(self):
        if self.chance() < 0.03:
            return self.pick(BYTE_VALUES)

        return self.pick(VALUES).encode()

    def piece(self, name=None):
        if name is None:
            name = self.name()

        name = name.encode()

        if self.chance() < 0.1:
            return name

        return name + b"=" + self.value()

    def tracker(self):
        names = TRACKERS if self.chance() < 0.7 else TRACKER_KIN
        return self.piece(self.spell(self.pick(names)))

    def join(self, pieces):
        """Joins by "&", now and then with an empty piece too many."""

        if self.chance() < 0.08:
            pieces.insert(self.count(0, len(pieces)), b"")

        return b"&".join(pieces)

    # the recipes

    def small(self):
        few = [self.pick(BASES) for _ in range(self.count(1, 3))]
        return self.join([self.piece(self.name(few))
                          for _ in range(self.count(1, 8))])

    def wide(self):
        return self.join([self.piece() for _ in range(self.count(1, 10))])

    def tracked(self):
        pieces = [self.piece() for _ in range(self.count(0, 4))]
        pieces += [self.tracker() for _ in range(self.count(1, 4))]
        self.rng.shuffle(pieces)

        return self.join(pieces)

    def word(self):
        pieces = [self.pick(WORDS).encode()]

        if self.chance() < 0.7:
            pieces.append(self.tracker())

        if self.chance() < 0.2:
            pieces.append(self.pick([b"", b"=1", b"=", b"page=1", b"b"]))

        self.rng.shuffle(pieces)

        return self.join(pieces)

    def shop(self):
        pieces = []

        for _ in range(self.count(1, 7)):
            pieces.append(self.pick(SHOP_NAMES).encode() + b"="
                          + self.pick(VALUES[:16]).encode())

        if self.chance() < 0.5:
            pieces += [self.pick(TRACKERS).encode() + b"=" + self.value()
                       for _ in range(self.count(1, 3))]

        return self.join(pieces)

    def opaque(self):
        pieces = [self.piece() for _ in range(self.count(0, 4))]
        pieces.append(self.pick(OPAQUE_PIECES))

        if self.chance() < 0.5:
            pieces.append(self.tracker())

        self.rng.shuffle(pieces)

        return self.join(pieces)

    def bytes(self):
        pieces = [self.piece() for _ in range(self.count(0, 3))]

        for _ in range(self.count(1, 2)):
            name = self.name() if self.chance() < 0.5 else self.pick(TRACKERS)
            pieces.append(name.encode() + b"=" + self.pick(BYTE_VALUES))

        self.rng.shuffle(pieces)

        return self.join(pieces)

    def deep(self):
        """Around the depths at which qs, Rack and PHP stop."""

        depth = self.pick([4, 5, 6, 7, 31, 32, 33, 63, 64, 65, 99, 100, 101])
        name = self.pick(["a", "b", "utm_source", "x"])
        name += self.pick(["[b]", "[]", "[0]", "%5Bb%5D"]) * depth
        pieces = [self.piece() for _ in range(self.count(0, 3))]
        pieces += [name.encode() + b"=" + self.value()
                   for _ in range(self.count(1, 2))]
        self.rng.shuffle(pieces)

        return self.join(pieces)

    def long(self):
        return self.join([self.tracker() if self.chance() < 0.2
                          else self.piece()
                          for _ in range(self.count(11, 40))])

    def limit(self):
        """Around 1000 pieces, where several parsers stop reading."""

        n = self.pick([998, 999, 1000, 1000, 1001, 1002])
        names = ["p%d" % i for i in range(n)]

        for _ in range(self.count(0, 40)):
            names[self.rng.randrange(n)] = self.pick(TRACKERS + BASES)

        pieces = [name.encode() + self.pick([b"=1", b"=", b"", b"=x"])
                  for name in names]

        for _ in range(self.pick([0, 0, 1, 3])):
            pieces[self.rng.randrange(n)] = b""

        return b"&".join(pieces)

    def huge(self):
        """Around 64 KiB of names, more than which Rack 2 refuses."""

        name = self.pick(["a", "utm_", "x"])
        name += "n" * (65536 + self.count(-4, 4) - len(name))
        pieces = [self.piece(), self.piece(), name.encode() + b"=1"]
        self.rng.shuffle(pieces)

        return b"&".join(pieces)

    def damage(self, query):
        for _ in range(self.count(1, 2)):
            at = self.rng.randrange(len(query) + 1)
            query = query[:at] + self.pick(DAMAGE) + query[at:]

        return query

    def query(self):
        recipe = self.rng.choices(RECIPES, WEIGHTS)[0]
        query = recipe(self)

        if self.chance() < 0.05:
            query = self.damage(query)

        # a line is a request target: no space at its end
        return query.rstrip(b" ")


RECIPES = [Maker.small, Maker.wide, Maker.tracked, Maker.word, Maker.shop,
           Maker.opaque, Maker.bytes, Maker.deep, Maker.long, Maker.limit,
           Maker.huge]
WEIGHTS = [300, 100, 200, 80, 170, 60, 50, 10, 28, 2, 0.2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    maker = Maker(args.seed)

    for _ in range(args.count):
        sys.stdout.buffer.write(maker.query() + b"\n")


if __name__ == "__main__":
    main()
