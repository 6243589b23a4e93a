# Copyright (C) the ngx_miqps authors
#
# The requests that servers are measured with: targets of shops, 3 to 10
# parameters each, and for each shop the list of names that its pages depend
# on.  The same seed makes the same requests everywhere.

import json
import random


SEED = 1
TARGETS = 1000
HOSTS = 20

LISTED = 12             # names that a shop's list has
UNLISTED = 3            # names that its links have nevertheless

# shares in percent

TRACKERS = 35           # of parameters
ESCAPED = 10            # of values
BRACKETS = 2            # of names

NAMES = (
    'brand', 'cat', 'category', 'collection', 'color', 'country', 'currency',
    'delivery', 'filter', 'gender', 'height', 'id', 'in_stock', 'item', 'lang',
    'limit', 'material', 'model', 'offset', 'order', 'page', 'price_max',
    'price_min', 'product', 'q', 'quantity', 'rating', 'section', 'size',
    'sort_by', 'store', 'style', 'tab', 'type', 'variant', 'view', 'width')

# the first ten are what the chains of regular expressions take out

TRACKING = (
    'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term',
    'gclid', 'fbclid', 'msclkid', 'mc_eid', '_ga', 'sid', 'ref')

WORDS = (
    'all', 'best_selling', 'black', 'boots', 'email', 'google', 'grid',
    'large', 'leather', 'newsletter', 'outlet', 'price-ascending', 'red',
    'running', 'shoes', 'spring-sale', 'trail', 'waterproof', 'winter', 'women')

ESCAPES = ('%20', '%2C', '%2F', '%C3%A9', '%c3%bc', '%3A', '%2B', '%7E', '%40',
           '%26')

FORMS = ('%s[]', '%s%%5B%%5D', '%s[from]', '%s[to]')


class Dice:
    """Of random.Random only random() gives the same numbers for ever."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def below(self, n):
        return int(self.random() * n)

    def percent(self, share):
        return self.below(100) < share

    def pick(self, items):
        return items[self.below(len(items))]

    def text(self, digits, least, most):
        n = least + self.below(most - least + 1)
        return ''.join(self.pick(digits) for _ in range(n))


def host(k):
    return 'www.shop%d.example' % k


def names(k):
    """The names in the links of a shop; the first LISTED are on its list."""
    return [NAMES[(5 * k + 7 * i) % len(NAMES)]
            for i in range(LISTED + UNLISTED)]


def lists():
    return {host(k): sorted(names(k)[:LISTED]) for k in range(HOSTS)}


def rules():
    """The same as a file for miqps_rules."""
    return json.dumps({'version': 1, 'sites': [
        {'hosts': [name], 'strict': True, 'keep': keep}
        for name, keep in lists().items()]}, indent=2)


def value(dice, tracker):
    if tracker:
        text = dice.text('0123456789abcdefghijklmnopqrstuvwxyz', 4, 35)
    elif dice.percent(40):
        text = dice.text('0123456789', 1, 8)
    else:
        text = dice.pick(WORDS)

    if dice.percent(ESCAPED):
        text += dice.pick(ESCAPES) + dice.pick(WORDS)

    return text


def parameter(dice, unused, trackers):
    tracker = bool(trackers) and dice.percent(TRACKERS)
    pool = trackers if tracker else unused
    name = pool.pop(dice.below(len(pool)))

    if not tracker and dice.percent(BRACKETS):
        name = dice.pick(FORMS) % name

    return name + '=' + value(dice, tracker)


def target(dice, k):
    unused, trackers = names(k), list(TRACKING)

    path = '/store/%s/%s-%d' % (dice.pick(WORDS), dice.pick(WORDS),
                                dice.below(100000))

    return path + '?' + '&'.join(parameter(dice, unused, trackers)
                                 for _ in range(3 + dice.below(8)))


def requests():
    """Pairs of host and target."""
    dice = Dice(SEED)
    done = []

    for _ in range(TARGETS):
        k = dice.below(HOSTS)
        done.append((host(k), target(dice, k)))

    return done
