# Copyright (C) the ngx_miqps authors
"""What the normalizer did to each query, and what to hold against it."""

import json
import subprocess


class Broken(Exception):
    """The normalizer's output is not what its interface promises."""


class Case:
    """A query that changed under one set of options.

    query   as it came
    result  as it went
    rest    the query with the pieces of stripped parameters blanked
    gone    the query with the pieces of all other parameters blanked

    Ampersands stay in "rest" and "gone", since a word is a parameter in
    "word&" and a list of keywords in "word" (CGI.pm).
    """

    __slots__ = ("query", "result", "rest", "gone")

    def __init__(self, query, result, stripped):
        left = iter(stripped)
        rest = []
        gone = []

        for piece in query.split(b"&"):
            strip = piece != b"" and next(left)
            rest.append(b"" if strip else piece)
            gone.append(piece if strip else b"")

        self.query = query
        self.result = result
        self.rest = b"&".join(rest)
        self.gone = b"&".join(gone)

    def texts(self):
        return (self.query, self.result, self.rest, self.gone)


class Report:
    """What one set of options did to all queries."""

    def __init__(self, options):
        self.options = options
        self.cases = []
        self.faults = []        # opaque, and changed all the same
        self.opaque = 0
        self.stripped = 0       # queries that lost a parameter


def run_lines(command, queries):
    """Feeds "/p?QUERY" lines to a command, returns its lines."""

    text = b"".join(b"/p?" + query + b"\n" for query in queries)
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE,
                          check=False)

    if done.returncode != 0:
        raise Broken("exit status %d: %s"
                     % (done.returncode, " ".join(command)))

    lines = done.stdout.split(b"\n")

    if lines.pop() != b"" or len(lines) != len(queries):
        raise Broken("%d lines for %d queries: %s"
                     % (len(lines), len(queries), " ".join(command)))

    return lines


def query_of(line):
    path, _, query = line.partition(b"?")

    if path != b"/p":
        raise Broken("the path changed: %r" % line)

    return query


def verdicts_of(query, verdict):
    """For each non-empty piece of a query, whether it was stripped."""

    stripped = [param["verdict"] == "strip" for param in verdict["params"]]
    pieces = sum(1 for piece in query.split(b"&") if piece != b"")

    if len(stripped) != pieces:
        raise Broken("%d verdicts for %d parameters: %r"
                     % (len(stripped), pieces, query))

    return stripped


def normalize(miqps, options, queries):
    """Runs the normalizer over all queries, returns a Report.

    The results are taken from the plain output, since JSON has no form for
    bytes that are not UTF-8.
    """

    command = [miqps, "normalize"] + options
    report = Report(options)
    results = run_lines(command, queries)
    verdicts = run_lines(command + ["--json"], queries)

    for query, line, text in zip(queries, results, verdicts):
        result = query_of(line)
        verdict = json.loads(text.decode("latin-1"))

        if "params" not in verdict:
            raise Broken("no verdicts: %r" % text)

        if verdict["opaque"] is not None:
            report.opaque += 1

            if result != query:
                report.faults.append((query, result))

            continue

        stripped = verdicts_of(query, verdict)
        report.stripped += any(stripped)

        if result != query or any(stripped):
            report.cases.append(Case(query, result, stripped))

    return report


def entries(line):
    """A driver's line as a dictionary of entries."""

    return dict(entry.split(b"=", 1) for entry in line.split())


def same(one, other):
    """True if two lines tell the same parameters, in any order of names."""

    if one == other:
        return True

    if b"ERROR:" in (one[:6], other[:6]):
        return False

    return entries(one) == entries(other)


def minus(line, gone):
    """The entries of a line without the names that "gone" has.

    Remarks on the whole query are left out, as nobody knows which parameter
    they were about.
    """

    taken = entries(gone)

    return {name: node for name, node in entries(line).items()
            if name not in taken and not name.startswith(b"!")}


def judge(query, result, rest, gone):
    """Compares what a back end sees in the four texts of a case.

    Returns None if the result has the parameters of the query without the
    stripped ones, else what is wrong.
    """

    if not same(rest, result):
        return "differs from the query without the stripped pieces"

    if b"ERROR:" in (query[:6], result[:6], gone[:6]):
        return None if query == result else "the error changed"

    if minus(query, gone) != minus(result, b""):
        return "differs from the parameters without the stripped names"

    return None
