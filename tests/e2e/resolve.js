// Copyright (C) the ngx_miqps authors
//
// Where a browser would go: reads lines of JSON, [location, base], and writes
// the scheme, the host and the rest of the URL for each; null for none.

'use strict';

const lines = require('fs').readFileSync(0, 'latin1').split('\n');

function resolve([location, base]) {
    try {
        const url = new URL(location, base);
        return [url.protocol, url.hostname, url.pathname + url.search];

    } catch (error) {
        return null;
    }
}

for (const line of lines.slice(0, -1)) {
    console.log(JSON.stringify(resolve(JSON.parse(line))));
}
