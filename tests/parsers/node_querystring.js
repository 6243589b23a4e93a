/*
 * Copyright (C) the ngx_miqps authors
 *
 * What Node's querystring makes of each query on standard input.
 */

'use strict';

const querystring = require('querystring');

const { run } = require('./node_lines.js');


run((query) => Object.entries(querystring.parse(query)));
