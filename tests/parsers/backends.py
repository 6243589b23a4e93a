# Copyright (C) the ngx_miqps authors
"""The ten back ends: what each needs, and how its driver is run.

A driver reads queries and writes a line for each:

    "name"=NODE "name"=NODE ...     what the application gets
    ERROR:kind                      the request is refused

NODE is "text", null, [NODE,...] or {"key":NODE,...}; in texts every byte that
could be taken for a delimiter is escaped.  Entries that begin with "!" are
remarks of the parser on the query as a whole.
"""

import glob
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "parsers")

# another python3 may come first in PATH, without Django
PYTHON = "/usr/bin/python3"

JARS = ["coyote", "util", "juli"]


def here(name):
    return os.path.join(HERE, name)


def environment():
    """The environment of every probe, build and driver."""

    env = dict(os.environ)

    # where Debian's modules are, whoever made the node in PATH
    env["NODE_PATH"] = ":".join(
        ["/usr/share/nodejs", "/usr/lib/nodejs", env.get("NODE_PATH", "")])

    env["GOCACHE"] = os.path.join(BUILD, "go-cache")
    env.update(GO111MODULE="off", GOPROXY="off", GOTOOLCHAIN="local",
               CGO_ENABLED="0", PYTHONDONTWRITEBYTECODE="1")

    return env


def succeeds(*command):
    """True if a command is there and ends well."""

    if shutil.which(command[0]) is None:
        return False

    return subprocess.run(command, env=environment(),
                          stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def classpath():
    """The jars of a Tomcat, or None."""

    for version in ("10", "9"):
        jars = ["/usr/share/java/tomcat%s-%s.jar" % (version, jar)
                for jar in JARS]

        if all(glob.glob(jar) for jar in jars):
            return ":".join(jars + [BUILD])

    return None


def build_go():
    subprocess.run(["go", "build", "-o", os.path.join(BUILD, "go-driver"),
                    here("go/main.go")], env=environment(), check=True)


def build_tomcat():
    subprocess.run(["javac", "-cp", classpath(), "-d", BUILD,
                    here("TomcatDriver.java")], env=environment(), check=True)


class Backend:
    """One parser: "needs" is its Debian package, "probe" tells if it is
    there, "build" makes the driver, "command" runs it."""

    def __init__(self, name, needs, probe, command, build=None):
        self.name = name
        self.needs = needs
        self.probe = probe
        self.command = command
        self.build = build

    def run(self, source, target):
        """Runs the driver from one file to another."""

        with open(source, "rb") as stdin, open(target, "wb") as stdout:
            subprocess.run(self.command(), env=environment(), stdin=stdin,
                           stdout=stdout, check=True)


# the slow ones first, so that they do not run last and alone

BACKENDS = [
    Backend("cgi", "libcgi-pm-perl",
            lambda: succeeds("perl", "-MCGI", "-e", "1"),
            lambda: ["perl", here("cgi.pl")]),
    Backend("node-qs", "node-qs",
            lambda: succeeds("node", "-e", "require('qs')"),
            lambda: ["node", here("node_qs.js")]),
    Backend("rack", "ruby-rack",
            lambda: succeeds("ruby", "-e", "require 'rack'"),
            lambda: ["ruby", here("rack.rb")]),
    Backend("django", "python3-django",
            lambda: succeeds(PYTHON, "-c", "import django"),
            lambda: [PYTHON, here("django_qd.py")]),
    Backend("python", "python3",
            lambda: succeeds(PYTHON, "-c", "import urllib.parse"),
            lambda: [PYTHON, here("python_qsl.py")]),
    Backend("tomcat", "libtomcat10-java and default-jdk-headless",
            lambda: classpath() is not None and succeeds("javac", "-version"),
            lambda: ["java", "-XX:+UseSerialGC", "-cp", classpath(),
                     "TomcatDriver"],
            build_tomcat),
    Backend("node-usp", "nodejs",
            lambda: succeeds("node", "-e", "0"),
            lambda: ["node", here("node_usp.js")]),
    Backend("node-querystring", "nodejs",
            lambda: succeeds("node", "-e", "0"),
            lambda: ["node", here("node_querystring.js")]),
    Backend("php", "php-cli",
            lambda: succeeds("php", "-n", "-r", "exit(0);"),
            lambda: ["php", "-n", here("php.php")]),
    Backend("go", "golang-go",
            lambda: succeeds("go", "version"),
            lambda: [os.path.join(BUILD, "go-driver")],
            build_go),
]
