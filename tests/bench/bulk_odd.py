# Copyright (C) the ngx_miqps authors
#
# URLs that take more than a look: those of tests/cases, before and after, at
# their own host and at one that has a list; all of these once more with
# something put in somewhere; and what lists have beside URLs.

import json
import os
import re
import subprocess

import nginx_urls
import report


PUT = (b'%', b'%41', b'%c3%bc', b'%C3', b'%00', b'&', b'&&', b'=', b']=', b'[',
       b']', b'[]', b'%5B', b'%5d', b'?', b'#', b';', b'+', b'.', b' ', b'\r',
       b'\t', b'\0', b'\x7f', b'\xc3\xa9', b'\xff', b'@', b':', b'/', b'\\',
       b'&utm_source=x', b'&gclid=x', b'&gclid[]=x', b'&brand=x', b'&ref&ref=1',
       b'&a.b=1&a_b=2', b'&e=1700000000', b'&sig=a1b2c3d4',
       b'&token=AbC1dEf2GhI3jKl4')

# ends of lines, marks at their start, hosts, and things of the longest length

EDGES = (b'', b'\r', b'?', b'/?', b'/?#', b'/?b=1&a=2\r', b'/?b=1&a=2\r\r',
         b'\xef\xbb\xbf/?b=1&a=2', b'\xef\xbb\xbf', b'http:/?b=1&a=2',
         b'HTTPS://U@WWW.Shop3.Example.:81/?b=1&a=2', b'ftp://h/?b=1&a=2',
         b'http://[::1]:80/?b=1&a=2', b'http://[::1/?b=1&a=2',
         b'http://u@/?b=1&a=2', b'http://:80/?b=1&a=2', b'///?b=1&a=2',
         b'//%s/?b=1&a=2' % (255 * b'h'), b'//%s/?b=1&a=2' % (256 * b'h'),
         b'/?b%s=1&a=2' % (31 * b'[x]'), b'/?b%s=1&a=2' % (32 * b'[x]'),
         b'/?e=1700000000&b=2&a=1&hash=abcdefg1',
         b'/?e=1700000000&b=2&a=1&hash=abcdef1',
         b'/%s?b=1&a=2' % (81911 * b'p'), b'/%s?b=1&a=2' % (81912 * b'p'))


def cases():
    done = subprocess.run(
        [os.path.join(report.ROOT, 'tests', 'cases', 'run'), '--list'],
        stdout=subprocess.PIPE, check=True)

    for line in done.stdout.splitlines():
        case = json.loads(line)

        yield case['in'].encode('latin-1')
        yield case['out'].encode('latin-1')


def moved(url, host):
    return re.sub(rb'^(https?:)?(//[^/?#]*)?', b'http://' + host.encode(), url,
                  count=1)


def changed(dice, url):
    at = dice.below(len(url) + 1)

    return url[:at] + dice.pick(PUT) + url[at:]


def urls():
    dice = nginx_urls.Dice(nginx_urls.SEED)
    done = list(cases())
    done += [moved(url, nginx_urls.host(k % nginx_urls.HOSTS))
             for k, url in enumerate(done)]

    return done + [changed(dice, url) for url in done] + list(EDGES)


def write(path):
    """How many lines it is."""
    done = urls()

    with open(path, 'wb') as f:
        f.write(b''.join(url + b'\n' for url in done))

    return len(done)
