/*
 * Copyright (C) the ngx_miqps authors
 *
 * What URLSearchParams makes of each query on standard input.
 */

'use strict';

const { run } = require('./node_lines.js');


run((query) => {
    const params = new Map();

    for (const [name, value] of new URLSearchParams(query)) {
        if (!params.has(name)) {
            params.set(name, []);
        }

        params.get(name).push(value);
    }

    return [...params];
});
