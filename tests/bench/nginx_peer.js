// Copyright (C) the ngx_miqps authors
//
// The module's job in njs: keeps what the list of the host names, sorts it,
// and writes escapes in one way.

import lists from 'lists.js';


// "filter" of "filter[]"

function base(name) {
    var bracket;

    if (name.indexOf('%') >= 0) {
        name = decodeURIComponent(name);
    }

    bracket = name.indexOf('[');

    return bracket < 0 ? name : name.substring(0, bracket);
}


function pair(text, list, at) {
    var equals, key;

    equals = text.indexOf('=');

    if (equals < 0) {
        equals = text.length;
    }

    key = base(text.substring(0, equals));

    if (list[key] === undefined) {
        return null;
    }

    if (text.indexOf('%', equals) >= 0) {
        text = text.substring(0, equals + 1)
               + encodeURIComponent(decodeURIComponent(
                     text.substring(equals + 1)));
    }

    return { key: key, at: at, text: text };
}


function before(a, b) {
    if (a.key == b.key) {
        return a.at - b.at;
    }

    return a.key < b.key ? -1 : 1;
}


function clean(args, list) {
    var i, one, pairs, kept;

    pairs = args.split('&');
    kept = [];

    for (i = 0; i < pairs.length; i++) {
        one = pair(pairs[i], list, i);

        if (one !== null) {
            kept.push(one);
        }
    }

    kept.sort(before);

    for (i = 0; i < kept.length; i++) {
        kept[i] = kept[i].text;
    }

    return kept.join('&');
}


function target(r) {
    var v, args, list;

    v = r.variables;
    args = v.args;
    list = lists[v.host];

    if (args === undefined || list === undefined) {
        return v.request_uri;
    }

    args = clean(args, list);

    return args === '' ? v.uri : v.uri + '?' + args;
}


export default { target };
