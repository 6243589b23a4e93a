# Copyright (C) the ngx_miqps authors
#
# What is measured: nginx with nothing to do, with the module, and with what
# is used in its place.  Each answers a request with the URL that it made of
# it.

import grp
import json
import os
import pwd

import nginx_urls


HERE = os.path.dirname(os.path.abspath(__file__))

MODULES = ('/usr/lib/nginx/modules', '/usr/lib64/nginx/modules',
           '/usr/local/nginx/modules')


CONFIG = '''\
daemon off;
%(processes)s
pid %(dir)s/pid;
error_log %(dir)s/error.log;
%(load)s
%(main)s
events { worker_connections 128; }
http {
    access_log off;
    default_type text/html;
    keepalive_requests 1000000000;
    keepalive_timeout 600s;
    client_body_temp_path %(dir)s/body;
    proxy_temp_path %(dir)s/proxy;
    fastcgi_temp_path %(dir)s/fastcgi;
    uwsgi_temp_path %(dir)s/uwsgi;
    scgi_temp_path %(dir)s/scgi;
    %(http)s
    server {
        listen 127.0.0.1:%(port)d;
        location / { %(location)s }
        location /other { %(other)s }
    }
}
'''

# who runs it owns its files

ONE_WORKER = 'worker_processes 1; user %s %s;' % (
    pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(os.getegid()).gr_name)

ECHO = 'return 200 $request_uri;'

ON = 'miqps rewrite; miqps_rules %(data)s/rules.json; miqps_tracking on; ' \
     'miqps_sort on; ' + ECHO

# lines that wait have a timer, which makes all others dearer

SEEN = 'miqps_corpus %(data)s/corpus.log flush=1ms; ' + ECHO


class Variant:
    """"modules" are files to load, in order; empty parts have nothing.  There
    is one process, or with "worker" a master and a worker."""

    def __init__(self, name, text, location, modules=(), main='', http='',
                 other=ECHO, package=None, worker=False):
        self.name = name
        self.text = text
        self.location = location
        self.modules = modules
        self.main = main
        self.http = http
        self.other = other
        self.package = package
        self.worker = worker

    def missing(self):
        """A module that is not there, or None."""
        for module in self.modules:
            if find_module(module) is None:
                return module

    def config(self, directory, data, port):
        """A server in "directory"; "data" is where files() wrote."""
        parts = {'data': data, 'here': HERE}

        return CONFIG % {
            'dir': directory,
            'processes': ONE_WORKER if self.worker else 'master_process off;',
            'port': port,
            'load': '\n'.join('load_module %s;' % find_module(module)
                              for module in self.modules),
            'main': self.main,
            'http': self.http % parts,
            'other': self.other % parts,
            'location': self.location % parts}


def find_module(module):
    if os.path.isabs(module):
        return module if os.path.exists(module) else None

    for directory in MODULES:
        path = os.path.join(directory, module)

        if os.path.exists(path):
            return path


# --- chains of regular expressions, one for each name that goes

def before_and_after(name):
    return '^(.*&)?%s=[^&]*&?(.*)$' % name


def rewrite_chain():
    """The last one takes the "&" that may be left at the end."""
    steps = ['if ($args ~ "%s") { set $args $1$2; }' % before_and_after(name)
             for name in nginx_urls.TRACKING[:10]]
    steps.append('if ($args ~ "^(.*)&$") { set $args $1; }')

    return ' '.join(steps) + ' return 200 $uri$is_args$args;'


def map_step(source, n, regex, result):
    return 'map %s $args%d { default %s; "~%s" %s; }' % (
        source, n, source, regex, result)


def map_chain():
    steps, source = [], '$args'

    for n, name in enumerate(nginx_urls.TRACKING[:10]):
        regex = '^(?<b%d>.*&)?%s=[^&]*&?(?<a%d>.*)$' % (n, name, n)
        steps.append(map_step(source, n, regex, '$b%d$a%d' % (n, n)))
        source = '$args%d' % n

    steps.append(map_step(source, 10, '^(?<b10>.*)&$', '$b10'))

    return '\n'.join(steps)


MAPPED = 'return 200 $uri?$args10;'


# --- lists for those that have no format for them

def files(directory):
    """What the configurations refer to."""
    lists = nginx_urls.lists()
    js = {host: {name: 1 for name in names} for host, names in lists.items()}
    lua = ', '.join('["%s"] = { %s }' % (
        host, ', '.join('["%s"] = true' % name for name in names))
        for host, names in lists.items())

    for name, text in (
            ('rules.json', nginx_urls.rules()),
            ('lists.js', 'export default %s;' % json.dumps(js)),
            ('lists.lua', 'return { %s }' % lua)):
        with open(os.path.join(directory, name), 'w') as f:
            f.write(text + '\n')


def variants(module):
    """All of them; the first is what the others are compared with."""
    return [
        Variant('plain', 'plain nginx', ECHO),

        Variant('off', 'module, off', ECHO, modules=[module],
                other=ON),

        Variant('on', 'module, on', ON, modules=[module]),

        Variant('corpus', 'miqps_corpus, seen', SEEN, modules=[module]),

        Variant('lua', 'lua', 'set_by_lua_block $target { return target() } '
                'return 200 $target;',
                modules=['ndk_http_module.so', 'ngx_http_lua_module.so'],
                main='pcre_jit on;',
                http='lua_package_path "%(data)s/?.lua;%(here)s/?.lua;;"; '
                     'init_by_lua_block { target = require "nginx_peer" }',
                package='libnginx-mod-http-lua'),

        Variant('rewrite', 'rewrite chain', rewrite_chain(),
                main='pcre_jit on;'),

        Variant('map', 'map chain', MAPPED, http=map_chain(),
                main='pcre_jit on;'),

        Variant('map-nojit', 'map chain, no JIT', MAPPED, http=map_chain(),
                main='pcre_jit off;'),

        Variant('njs', 'njs', 'return 200 $target;',
                modules=['ngx_http_js_module.so'],
                http='js_path %(data)s; js_path %(here)s; '
                     'js_import peer from nginx_peer.js; '
                     'js_set $target peer.target;',
                package='libnginx-mod-http-js'),
    ]
