#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Sends named cases to nginx in every mode and by each protocol:
#
#     tests/cases/run --list > CASES
#     cloaking.py conf FOLDER CASES        prints what nginx is to be told
#     cloaking.py run FOLDER CASES         prints TAP without numbers
#
# Cases that have their options in common share servers, one for each mode and
# protocol.  What comes of a case is what "miqps normalize" makes of the URL:
#
#     rewrite     the origin gets it
#     annotate    $miqps_uri has it, and the origin gets what was sent
#     redirect    Location has it; or, if it is what was sent, the origin gets
#                 that
#
# A case that no client should send may be refused, or pass as it is.

import json
import os
import re
import subprocess
import sys

import curl
import wire

MODES = ('rewrite', 'annotate', 'redirect')
PROTOCOLS = ('http1', 'http2')
NOWHERE = b'nowhere.invalid'


class Case:
    def __init__(self, fields):
        url = fields['in'].encode('latin-1')
        match = re.match(rb'(?i)https?://(?:[^/?#@]*@)?([^/?#]*)', url)

        self.name = '%s: %s' % (os.path.basename(fields['file'])[:-4],
                                fields['sentence'])
        self.place = '%s:%d' % (fields['file'], fields['line'])
        self.group = (tuple(fields['options']), fields.get('rules', ''))
        self.sane = fields.get('http') != 'no'

        self.host = match.group(1) if match else NOWHERE
        self.target = url[match.end():] if match else url

        if not self.target.startswith(b'/'):
            self.target = b'/' + self.target

        # what leads a browser elsewhere is never redirected to
        self.led_astray = self.target[1:2] in (b'/', b'\\')

        self.wanted = None
        self.wrong = []

    def url(self):
        return b'http://' + self.host + self.target


def groups(cases):
    """Those with the same options; each has a number."""
    found = {}

    for case in cases:
        found.setdefault(case.group, []).append(case)

    return list(enumerate(found.items()))


def rules_file(folder, n):
    return '%s/rules%d.json' % (folder, n)


def socket_name(folder, n, mode, protocol):
    return '%s/%d-%s-%s' % (folder, n, mode, protocol)


# --- configuration

def quote(value):
    return '"%s"' % value.replace('\\', '\\\\').replace('"', '\\"')


def names(value):
    """As the program takes a list apart: an expression goes on to the end."""
    plain, tilde, expression = re.match(r'((?:[^~,][^,]*,?)*)(~?)(.*)$',
                                        value).groups()

    return [name for name in plain.split(',') if name] \
        + ([tilde + expression] if tilde else [])


def directives(options):
    """For the server, and for the location in it: lists add up."""
    outer = ['miqps_sort %s;' % ('on' if '--sort' in options else 'off'),
             'miqps_tracking %s;'
             % ('on' if '--tracking' in options else 'off')]
    inner = []
    words = [word for word in options if word not in ('--sort', '--tracking')]

    for option, value in zip(words[::2], words[1::2]):
        if option == '--host':
            outer.append('miqps_host %s;' % quote(value))
            continue

        level = inner if option == '--strip' else outer
        level.append('miqps_%s %s;' % (option[2:], ' '.join(
            quote(name) for name in names(value))))

    return outer, inner


def print_servers(folder, n, options, rules):
    outer, inner = directives(options)

    if rules:
        with open(rules_file(folder, n), 'w') as f:
            f.write(rules)

        outer.append('miqps_rules %s;' % rules_file(folder, n))

    for mode in MODES:
        for protocol in PROTOCOLS:
            print('server {\n listen unix:%s%s;\n miqps %s;\n %s\n'
                  ' location / {\n  proxy_pass http://origin;\n  %s\n }\n}'
                  % (socket_name(folder, n, mode, protocol),
                     ' http2' if protocol == 'http2' else '', mode,
                     '\n '.join(outer), '\n  '.join(inner)))


# --- cases

def normalize(folder, cases):
    """Asks the program what each of them is to become."""
    for n, ((options, rules), members) in groups(cases):
        args = [os.environ['MIQPS'], 'normalize', *options]

        if rules:
            args += ['--rules', rules_file(folder, n)]

        out = subprocess.run(args, check=True, stdout=subprocess.PIPE,
                             input=b''.join(case.url() + b'\n'
                                            for case in members)).stdout

        lines = out.split(b'\n')

        if len(lines) != len(members) + 1:
            raise SystemExit('%s printed %d lines' % (args, len(lines)))

        for case, line in zip(members, lines):
            case.wanted = line[len(case.url()) - len(case.target):]


def short(data):
    return repr(data if len(data) < 400 else data[:200] + b'...' + data[-50:])


def judge(case, mode, protocol, answer):
    def complain(what, *details):
        case.wrong.append('%s, %s: %s %s' % (mode, protocol, what,
                                             ' '.join(map(short, details))))

    if answer is None or answer.status in (400, 414):
        if case.sane:
            complain('refused')

        return

    allowed = [case.wanted] if case.sane else [case.wanted, case.target]
    sent = answer.body.split(b' ', 1)[-1].rsplit(b' ', 1)[0]
    location = answer.get(b'location')

    if mode == 'rewrite' and sent not in allowed:
        complain('the origin got', sent)

    if mode != 'rewrite' and answer.status == 200 and sent != case.target:
        complain('the origin got', sent)

    if mode != 'redirect' and answer.get(b'x-uri') not in allowed:
        complain('$miqps_uri is', answer.get(b'x-uri') or b'')

    if mode != 'redirect' and answer.status != 200:
        complain('status', b'%d' % answer.status)

    if mode == 'redirect':
        if case.wanted == case.target or case.led_astray:
            allowed = [None]

        elif not case.sane:
            allowed.append(None)

        if location not in allowed:
            complain('Location is', location or b'none')

        if answer.status != (200 if location is None else 302):
            complain('status', b'%d' % answer.status)


def send(folder, cases):
    later = []

    for n, (_, members) in groups(cases):
        for mode in MODES:
            client = wire.Client(socket_name(folder, n, mode, 'http1'))

            for case in members:
                judge(case, mode, 'HTTP/1.1',
                      ask(client, case.target, case.host))

            client.close()

            # these bytes cannot be said to curl, nor very long targets

            later += [(case, mode, (socket_name(folder, n, mode, 'http2'),
                                    case.target, case.host))
                      for case in members
                      if len(case.target) < 60000
                      and not re.search(rb'[\0\r\n]', case.target)]

    answers = curl.get([request for _, _, request in later])

    for (case, mode, _), answer in zip(later, answers):
        judge(case, mode, 'HTTP/2', answer)

    return len(later)


def ask(client, target, host):
    try:
        return client.get(target, host=host)
    except (wire.Broken, OSError):
        client.close()
        return None


def run(folder, cases):
    normalize(folder, cases)
    by_curl = send(folder, cases)

    for case in cases:
        print('%s - %s' % ('not ok' if case.wrong else 'ok',
                           case.name.replace('#', '\\#')))

        if case.wrong:
            print('#   at %s' % case.place)
            print('#   sent:   %s' % short(case.target))
            print('#   wanted: %s' % short(case.wanted))

        for line in case.wrong:
            print('#   ' + line)

    print('# %d cases in %d groups, %d requests by HTTP/1.1, %d by HTTP/2'
          % (len(cases), len(groups(cases)), len(cases) * len(MODES), by_curl))


def main():
    what, folder, name = sys.argv[1:]

    with open(name) as f:
        cases = [Case(json.loads(line)) for line in f]

    if what == 'run':
        run(folder, cases)
        return

    for n, ((options, rules), _) in groups(cases):
        print_servers(folder, n, options, rules)


if __name__ == '__main__':
    main()
