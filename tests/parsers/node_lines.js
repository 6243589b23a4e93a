/*
 * Copyright (C) the ngx_miqps authors
 *
 * What the three Node drivers share: lines in, lines out, and how a value is
 * written.  A query is a string of one character a byte, as in req.url.
 */

'use strict';

const fs = require('fs');


function text(value)
{
    return '"' + encodeURIComponent(value) + '"';
}


function node(value)
{
    if (value === null || value === undefined) {
        return String(value);
    }

    if (Array.isArray(value)) {
        return '[' + Array.from(value, node).join(',') + ']';
    }

    if (typeof value === 'object') {
        return '{' + Object.keys(value).map(
            (key) => text(key) + ':' + node(value[key])).join(',') + '}';
    }

    return typeof value === 'string' ? text(value) : '<' + value + '>';
}


/* writes a line for each query: parse(query) gives [name, value] pairs */

function run(parse)
{
    const lines = fs.readFileSync(0, 'latin1').split('\n');
    const out = [];

    lines.pop();

    for (const query of lines) {
        try {
            out.push(parse(query).map(
                ([name, value]) => text(name) + '=' + node(value)).join(' '));

        } catch (e) {
            out.push('ERROR:' + e.name);
        }
    }

    out.push('');

    const data = Buffer.from(out.join('\n'), 'latin1');

    for (let at = 0; at < data.length; /* void */) {
        at += fs.writeSync(1, data, at);
    }
}


module.exports = { run };
