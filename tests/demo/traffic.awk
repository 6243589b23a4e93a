
# Copyright (C) the ngx_miqps authors
#
# Prints what a little shop is asked for: the same pages again and again, by
# links from mails, adverts and social networks.  "count" is how many lines,
# "seed" which; the same ones always.  With "clean" they are the same again as if
# nobody had tracked them.  rand() of awk differs from one awk to the next, so
# that the generator is here.

function chance(n) {
    seed = (seed * 16807) % 2147483647
    return int(seed / 2147483647 * n)
}

function pick(list, parts, n) {
    n = split(list, parts, " ")
    return parts[1 + chance(n)]
}

function hex(n, s) {
    for (s = ""; n > 0; n--) {
        s = s substr("0123456789abcdef", 1 + chance(16), 1)
    }

    return s
}

function letters(n, s) {
    for (s = ""; n > 0; n--) {
        s = s substr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" \
                     "0123456789", 1 + chance(62), 1)
    }

    return s
}

function add(param) {
    tracks[nparams] = 0
    params[nparams++] = param
}

function leave(param) {
    tracks[nparams] = 1
    params[nparams++] = param
}

# what the way to the page leaves in its URL

function track(source) {
    source = chance(8)

    if (source == 0) {
        leave("fbclid=IwAR" letters(20))

    } else if (source == 1) {
        leave("gclid=Cj0KCQ" letters(24))
        leave("gad_source=1")

    } else if (source == 2) {
        leave("utm_source=newsletter")
        leave("utm_medium=email")
        leave("utm_campaign=" pick("spring sale outlet welcome"))

    } else if (source == 3) {
        leave("utm_source=" pick("google bing partner"))
        leave("utm_medium=cpc")
        leave("utm_content=" letters(6))

    } else if (source == 4) {
        leave("mc_cid=" hex(10))
        leave("mc_eid=" hex(10))

    } else if (source == 5) {
        leave("msclkid=" hex(32))

    } else if (source == 6) {
        leave("%75tm_source=qr&ttclid=" letters(18))
    }
}

# the URL, with its parameters in any order

function emit(path, i, j, swap, query) {
    for (i = nparams - 1; i > 0; i--) {
        j = chance(i + 1)
        swap = params[i]
        params[i] = params[j]
        params[j] = swap
        swap = tracks[i]
        tracks[i] = tracks[j]
        tracks[j] = swap
    }

    for (i = 0; i < nparams; i++) {
        if (!clean || !tracks[i]) {
            query = query (query ? "&" : "?") params[i]
        }
    }

    print "https://shop.example" path query
    nparams = 0
}

function product() {
    track()

    if (chance(3) == 0) {
        leave("sid=" hex(26))
    }

    add("variant=" 4100 + 10 * chance(3))

    if (chance(2)) {
        add("color=" pick("red blue"))
    }

    emit("/products/" pick("coat coat coat boots boots scarf hat tent"))
}

function listing() {
    track()
    add("sort_by=" pick("price title"))

    if (chance(2)) {
        add("page=" 1 + chance(3))
    }

    if (chance(4) == 0) {
        add("size[]=40")
        add("size[]=42")
    }

    emit("/collections/" pick("sale shoes"))
}

function search() {
    track()
    add("q=" pick("coat rain+coat boots size%2042"))
    emit("/search")
}

# a signature covers these: not a byte may change

function signed() {
    if (chance(2)) {
        print "https://shop.example/files/invoice-" 100 + chance(40) \
              ".pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=300" \
              "&X-Amz-Signature=" hex(64) "&utm_source=mail"

    } else {
        print "https://shop.example/video/tent.mp4?Expires=1790000000" \
              "&Signature=" letters(40) "&Key-Pair-Id=K" letters(13)
    }
}

function account() {
    if (chance(2)) {
        print "https://shop.example/account/callback?code=4/" letters(30) \
              "&state=" letters(22)

    } else {
        print "https://shop.example/account/reset?token=" letters(32) \
              "&utm_source=mail"
    }
}

# attempts to hide a parameter from us that the shop would see, or to show us
# one that it would not

function cloaking() {
    print "https://shop.example/products/coat?variant=4100" \
          pick("&utm_content=x;variant=4120 &utm_source%00=variant" \
               " &utm_term%26variant=4120 &utm_medium=%zz" \
               " &utm_content[=x&variant]=4120")
}

BEGIN {
    for (n = 0; n < count; n++) {
        kind = chance(100)

        if (kind < 55) {
            product()

        } else if (kind < 78) {
            listing()

        } else if (kind < 88) {
            search()

        } else if (kind < 92) {
            signed()

        } else if (kind < 96) {
            account()

        } else {
            cloaking()
        }
    }
}
