
# Copyright (C) the ngx_miqps authors
#
# Prints URLs as the visitors of a shop ask for them, all with a query:
#
#     awk -v n=20000 -v seed=1 -f shop_traffic.awk
#
# Listings with filters, products, searches, campaigns, sessions, and the few
# that must be left alone: links in mails, signed images, broken escapes.

function below(max) {
    state = (state * 16807) % 2147483647
    return int(state / 2147483647 * max)
}

function chance(percent) {
    return below(10000) < percent * 100
}

function one_of(list,    n, words) {
    n = split(list, words, " ")
    return words[below(n) + 1]
}

function random(alphabet, len,    text) {
    for (text = ""; len > 0; len--) {
        text = text substr(alphabet, below(length(alphabet)) + 1, 1)
    }

    return text
}

function add(name, value) {
    query = query (query == "" ? "" : "&") name "=" value
}

# words a person types, joined as browsers and scripts do

function words(n,    text, glue) {
    glue = chance(70) ? "+" : "%20"

    for (text = one_of(vocabulary); n > 1; n--) {
        text = text glue one_of(vocabulary)
    }

    return text
}

function listing() {
    path = "/c/" one_of("shoes coats bags hats tents lamps")

    if (chance(60)) add("page", below(30) + 1)
    if (chance(50)) add(one_of("sort order sort_by"),
                        one_of("price-asc price-desc newest name rating"))
    if (chance(40)) add(one_of("color filter_color filter[color][]"),
                        one_of("red blue black,white navy off-white"))
    if (chance(40)) add(one_of("size size[] filter%5Bsize%5D%5B%5D"),
                        one_of("s m l xl 38 39 42 42.5 10%2F12"))
    if (chance(20)) add("price", below(50) "-" 50 + below(500))
    if (chance(15)) add(one_of("min_price price[min] filter.v.price.gte"),
                        below(100))
    if (chance(20)) add(one_of("per_page limit sz"), one_of("12 24 36 48"))
    if (chance(10)) add("brand", one_of("Acme%20%26%20Sons H%C3%A4rtel O'Neal"))
    if (chance(5))  add("view", one_of("grid list"))
}

function product() {
    path = "/products/" one_of("wool-coat trail-shoe-2 desk-lamp tent-3p")

    if (chance(60)) add("variant", "40" sprintf("%09d", below(1000000000)) "01")
    if (chance(20)) add("color", one_of("Red Blue Black"))
    if (chance(10)) add("sku", one_of("TS-4411-BL WC-09-XL 4006381333931"))
    if (chance(10)) add("key", one_of("blue spring-collection-2024 size-guide"))
    if (chance(10)) add("hash", one_of("reviews shipping-and-returns details"))
    if (chance(5))  add("tab", "reviews")
}

function search() {
    path = one_of("/search / /catalogsearch/result/")

    add(one_of("q s query search"), words(1 + below(4)))

    if (chance(10)) add("type", "product")
    if (chance(10)) add("cat", below(99))
    if (chance(5))  add("lang", one_of("en de fr"))
}

function service() {
    path = one_of("/cart /stores /account/login /gift /checkout/coupon")

    if (path == "/stores") {
        add("state", one_of("CA NY bavaria new-south-wales"))
        if (chance(50)) add("zip", 10000 + below(80000))
    }

    if (path == "/checkout/coupon" || path == "/gift") {
        add("code", one_of("SPRING15 WELCOME10 FREESHIP BLACKFRIDAY2024"))
    }

    if (path == "/account/login") {
        add(one_of("return_to checkout_url"), "%2Faccount%2Forders%3Fpage%3D2")
        if (chance(20)) add("login", one_of("1 true required"))
    }

    if (path == "/cart") {
        add("add-to-cart", below(9999))
        if (chance(50)) add("quantity", below(5) + 1)
        if (chance(10)) add("confirm", "1")
    }
}

function resource() {
    path = one_of("/a.css /app.js /i/coat.jpg /i/tent.webp /ajax/stock")

    if (chance(50)) add(one_of("v ver _ t ts"), 1700000000 + below(90000000))
    if (chance(50)) add("w", one_of("200 400 800"))
    if (chance(30)) add("h", one_of("200 400 800"))
    if (chance(20)) add("fit", "crop")
    if (query == "") add("v", "6.4." below(9))
}

function campaign() {
    if (chance(60)) {
        add("utm_source", one_of("google newsletter facebook partner"))
        add("utm_medium", one_of("cpc email social"))
        add("utm_campaign", one_of("spring%20sale black_friday brand-de 2024"))
    }

    if (chance(40)) add("gclid", "Cj0KCQ" random(base64, 60))
    if (chance(30)) add("fbclid", "IwAR" random(base64, 57))
    if (chance(10)) add("msclkid", random(hex, 32))
    if (chance(10)) add("mc_cid", random(hex, 10) "&mc_eid=" random(hex, 10))
    if (chance(5))  add("_ga", "2." below(99999999) "." 1700000000 + below(9999))
    if (chance(5))  add("ref", one_of("home footer nav mail"))
}

# what must not be touched

function left_alone() {
    path = one_of("/account/reset /i/large.jpg /account/callback /confirm")

    if (path == "/account/reset") add("token", random(base64, 32))
    if (path == "/i/large.jpg") add("s", random(hex, 32))
    if (path == "/account/callback") add("code", random(base64, 24) "&state=x")
    if (path == "/confirm") add("confirmation_token", random(hex, 20))
}

BEGIN {
    state = (seed > 0 ? seed : 1)
    hex = "0123456789abcdef"
    base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    vocabulary = "red running shoes women coat 3-person tent lamp e27 usb-c" \
        " rtx4090 WH-1000XM5 galaxy s24 iphone 15 pro max d%C3%A9cor" \
        " caf%C3%A9 m%C3%BCtze 100%25 size 42 waterproof jacket for men" \
        " %D0%BE%D0%B1%D1%83%D0%B2%D1%8C c%2B%2B at%26t 4006381333931"

    for (i = 0; i < n; i++) {
        query = ""
        kind = below(1000)

        if (kind < 400) listing()
        else if (kind < 600) product()
        else if (kind < 800) search()
        else if (kind < 880) service()
        else if (kind < 994) resource()
        else left_alone()

        if (kind < 880 && chance(45)) campaign()
        if (kind < 880 && chance(8)) add(one_of("sid PHPSESSID"), random(hex, 32))
        if (query == "") add("page", below(30) + 1)

        # nobody is perfect
        if (chance(0.2)) add("promo", "20%")
        if (chance(0.1)) add("note", "two words")
        if (chance(0.5)) gsub(/&/, "\\&amp;", query)
        if (chance(1))   query = query "&"

        print "https://" one_of("shop.example www.shop.example") path "?" query
    }
}
