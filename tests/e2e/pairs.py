# Copyright (C) the ngx_miqps authors
#
# Pairs of request targets that are related: the same page asked for in two
# ways, two pages that look much the same, and everything between.  All bytes
# are such that nginx takes them.

NAMES = [b'id', b'size', b'color', b'a', b'b', b'q', b'page', b'a.b', b'a_b',
         b'a[]', b'a[0]', b'a[x]', b'caf\xc3\xa9', b'caf%C3%A9', b'%61', b'A']
VALUES = [b'', b'1', b'2', b'red', b'a+b', b'a%20b', b'%C3%A9', b'\xc3\xa9',
          b'a%2Fb', b'a/b', b'%7Ex', b'~x', b'x%3D1', b'a%26b', b'%2b', b'%2B',
          b'a=b', b'\xff', b'%FF', b'[x]']
TRACKING = [b'utm_source=mail', b'utm_medium=x', b'fbclid=IwAR0', b'gclid=Cj0',
            b'utm%5fid=1', b'%75tm_source=2', b'msclkid=', b'fbclid']
SESSIONS = [b'session=0a1b', b'sid=9', b'session[]=1', b's%65ssion=2']
OPAQUE = [b'x;y=1', b'a=%zz', b'a=%', b'utm_source%00=1', b'q=1%00', b'a]=1',
          b'a[=1', b'?a=1', b'%26a=1', b'utm_x=1;a=2', b'#utm_source=1',
          b'\xff=1', b'a%3Db=1', b'a[b=1', b'x=1]=2']
SIGNED = [b'X-Amz-Signature=0f3a', b'Signature=ab~c&Key-Pair-Id=K1&Expires=1',
          b'sig=Zm9v%3D&se=2030&sp=r&sv=2022', b'access_token=eyJhbGciOi',
          b'X-Goog-Signature=77', b'code=abcdef0123456789&state=xyz012345678']
SEGMENTS = [b'shoes', b'a%2Fb', b'a/b', b'%2e', b'.x', b'x;v=1', b'x%3Bv=1',
            b'a%3Fb', b'%7Eme', b'~me', b'\xe9', b'%E9', b'', b'a+b', b'a%20b',
            b'%41', b'A', b'a%23b', b'index.php', b'..%2fx']
ESCAPES = b'abcdeimostu_~-.'


def parameter(dice):
    if dice.random() < 0.08:
        return dice.choice(NAMES)

    return dice.choice(NAMES) + b'=' + dice.choice(VALUES)


def path(dice):
    return b'/'.join(dice.choices(SEGMENTS, k=dice.randrange(1, 4)))


# --- what makes the second of the first; lists of parameters are changed

def reorder(dice, params):
    dice.shuffle(params)


def insert(choices):
    def change(dice, params):
        params.insert(dice.randrange(len(params) + 1), dice.choice(choices))

    return change


def drop(dice, params):
    if params:
        params.pop(dice.randrange(len(params)))


def other_value(dice, params):
    if params:
        i = dice.randrange(len(params))
        name = params[i].split(b'=')[0]
        params[i] = name + b'=' + dice.choice(VALUES)


def twice(dice, params):
    if params:
        params.append(dice.choice(params))


def more(dice, params):
    params.append(parameter(dice))


def replace_byte(dice, params, wanted, made):
    """One of the bytes that are wanted becomes what "made" makes of it."""
    places = [(i, j) for i, p in enumerate(params)
              for j, byte in enumerate(p) if wanted(p, j, byte)]

    if places:
        i, j = dice.choice(places)
        p = params[i]
        params[i] = p[:j] + made(p[j]) + p[j + 1:]


def escape(dice, params):
    replace_byte(dice, params,
                 lambda p, j, byte: byte in ESCAPES
                 and b'%' not in p[max(0, j - 2):j],
                 lambda byte: b'%%%02x' % byte)


def swap_case(dice, params):
    replace_byte(dice, params,
                 lambda p, j, byte: b'%' in p[max(0, j - 2):j],
                 lambda byte: bytes([byte]).swapcase())


def space(dice, params):
    replace_byte(dice, params,
                 lambda p, j, byte: byte == 0x2b, lambda byte: b'%20')


def nothing(dice, params):
    pass


CHANGES = [reorder] * 4 + [insert(TRACKING)] * 4 + [insert(SESSIONS)] * 2 \
    + [insert([b''])] + [insert(OPAQUE)] + [insert(SIGNED)] \
    + [drop, other_value, other_value, twice, more, escape, escape, swap_case,
       space, nothing]


def target(number, path, params, mark):
    return b'/%d/%s%s%s' % (number, path, mark, b'&'.join(params))


def pair(dice, number):
    """Two targets; no other number has one of them."""
    params = [parameter(dice) for _ in range(dice.randrange(6))]

    for chance, choices in ((0.3, TRACKING), (0.15, SESSIONS), (0.06, OPAQUE),
                            (0.06, SIGNED), (0.05, [b''])):
        if dice.random() < chance:
            params.insert(dice.randrange(len(params) + 1),
                          dice.choice(choices))

    where = path(dice)
    one = target(number, where, params, b'?' if params else b'')

    for _ in range(dice.randrange(1, 3)):
        dice.choice(CHANGES)(dice, params)

    if dice.random() < 0.12:
        where = path(dice)

    mark = b'?' if params or dice.random() < 0.1 else b''
    other = target(number, where, params, mark)

    return (one, other) if dice.random() < 0.5 else (other, one)
