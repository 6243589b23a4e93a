/*
 * Copyright (C) the ngx_miqps authors
 *
 * What qs makes of each query on standard input, with the options of qs and
 * with those that Express gives it.
 */

'use strict';

const qs = require('qs');

const { run } = require('./node_lines.js');


run((query) => {
    const plain = Object.entries(qs.parse(query));
    const express = Object.entries(qs.parse(query, { allowPrototypes: true }));

    return plain.concat(
        express.map(([name, value]) => ['express ' + name, value]));
});
