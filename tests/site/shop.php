<?php

/*
 * Copyright (C) the ngx_miqps authors
 *
 * A shop whose truth is known: tests/site/traffic.py says of each URL which
 * page it is.  Parameters that are not read here do not matter.
 *
 * SITE_NOISE is a list of what differs each time a page is made, whatever the
 * URL is: clock, counter, token, advert, rotate, time, echo, cookie; and
 * "seldom", a banner at one URL in a hundred.
 * SITE_CANONICAL is what pages declare to be their URL: "right", "home" for the
 * home page, "asked" for what was asked for; nothing else.
 * SITE_LIMIT is how many pages there are in SITE_WINDOW seconds, before it
 * answers 429.
 * What would change something is noted in SITE_LOG.
 */

const WORDS = ['amber', 'basil', 'cedar', 'dune', 'ember', 'fern', 'grove',
               'hazel', 'iris', 'jade', 'kelp', 'lilac', 'maple', 'north',
               'opal', 'pine', 'quartz', 'river', 'sage', 'tide', 'umber',
               'vale', 'willow', 'yarrow', 'zinc', 'shoe', 'coat', 'lamp',
               'chair', 'table', 'bowl', 'scarf'];

const COLORS = ['red', 'green', 'blue', 'black', 'white', 'grey'];

const TEXTS = [
    'en' => ['Price', 'Colour', 'Page', 'Search', 'Compare', 'Article'],
    'de' => ['Preis', 'Farbe', 'Seite', 'Suche', 'Vergleich', 'Artikel'],
    'fr' => ['Prix', 'Couleur', 'Page', 'Recherche', 'Comparer', 'Article'],
];

const RATES = ['EUR' => 1.0, 'USD' => 1.1, 'GBP' => 0.85];

const READ = [
    '/product.php' => ['id', 'color', 'lang', 'cur'],
    '/category.php' => ['cat', 'page', 'per', 'sort', 'lang'],
    '/search.php' => ['q', 'page', 'lang'],
    '/compare.php' => ['ref', 'lang'],
    '/article.php' => ['n', 'print'],
    '/item.php' => ['id', 'pid', 'color', 'lang', 'cur'],
];

$noise = array_flip(array_filter(explode(',', $_SERVER['SITE_NOISE'] ?? '')));
$path = explode('?', $_SERVER['REQUEST_URI'], 2)[0];


/* words that depend on a text and nothing else */

function words(string $of, int $n): string
{
    $words = [];

    for ($i = 0; $i < $n; $i++) {
        $words[] = WORDS[crc32("$of.$i") % count(WORDS)];
    }

    return implode(' ', $words);
}


function get(string $name, string $default): string
{
    $value = $_GET[$name] ?? $default;

    return is_string($value) ? $value : $default;
}


function choice(string $name, array $of): string
{
    $value = get($name, $of[0]);

    return in_array($value, $of, true) ? $value : $of[0];
}


function number(string $name, int $default): int
{
    $value = get($name, (string) $default);

    return preg_match('/^[0-9]{1,9}$/', $value) ? (int) $value : $default;
}


/* the URL of a page, with what is read */

function canonical(string $path): string
{
    $names = READ[$path] ?? [];
    $args = array_intersect_key($_GET, array_flip($names));
    ksort($args);

    return $args ? $path . '?' . http_build_query($args) : $path;
}


/* --- pages: title and text */

function product(int $id, array $texts): array
{
    if ($id < 1 || $id > 100000) {
        return missing();
    }

    $color = choice('color', COLORS);
    $currency = choice('cur', array_keys(RATES));
    $price = (10 + $id % 90) * RATES[$currency];

    return [ucfirst(words("name $id", 2)),
            "<img src=\"/img/$id-$color.jpg\" alt=\"$color\">"
            . sprintf("<p>%s: %.2f %s</p><p>%s: %s</p><p>%s</p>", $texts[0],
                      $price, $currency, $texts[1], $color,
                      words("text $id", 60))];
}


function category(string $cat, array $texts): array
{
    $page = number('page', 1);
    $per = (int) choice('per', ['10', '20', '50']);
    $sort = choice('sort', ['name', 'price', 'new']);
    $items = [];

    for ($i = 0; $i < $per; $i++) {
        $items[] = '<li>' . words("$cat $sort $per " . ($page * $per + $i), 3)
                   . '</li>';
    }

    return ["Category $cat", "<p>$texts[2] $page</p><ul>"
                             . implode('', $items) . '</ul>'];
}


function search(string $q, array $texts): array
{
    $page = number('page', 1);

    return ["$texts[3]: " . htmlspecialchars($q),
            "<p>$texts[2] $page</p><p>" . words("find $q $page", 40) . '</p>'];
}


function missing(): array
{
    http_response_code(404);

    return ['Not found', '<p>There is no such page.</p>'];
}


function page(string $path, array $texts): array
{
    switch ($path) {
    case '/':
        return ['The shop', '<p>' . words('home', 50) . '</p>'];
    case '/product.php':
        return product(number('id', 0), $texts);
    case '/item.php':
        return product(number('id', number('pid', 0)), $texts);
    case '/category.php':
        return isset($_GET['cat']) ? category(get('cat', ''), $texts)
                                   : missing();
    case '/search.php':
        return search(get('q', ''), $texts);
    case '/compare.php':
        return ["$texts[4] " . number('ref', 0),
                '<p>' . words('compare ' . number('ref', 0), 50) . '</p>'];
    case '/article.php':
        return ["$texts[5] " . number('n', 0),
                '<p>' . words('article ' . number('n', 0),
                              isset($_GET['print']) ? 30 : 90) . '</p>'];
    case '/option.php':
        $page = product(number('id', 0), $texts);

        foreach ([2, 4, 8, 20] as $n) {
            if (isset($_GET["opt$n"]) && number("opt$n", 1) % $n == 0) {
                $page[1] .= "<p>Option $n " . number("opt$n", 1) . '</p>';
            }
        }

        return $page;
    case '/soft.php':
        $id = number('id', 0);
        return $id % 7 == 0 ? ['The shop', '<p>' . words('home', 50) . '</p>']
                            : product($id, $texts);
    default:
        return missing();
    }
}


/* --- what nobody may fetch */

if (preg_match('{^/(do|cart|logout|vote|account)\b}', $path)
    || isset($_GET['delete']))
{
    file_put_contents($_SERVER['SITE_LOG'], "$_SERVER[REQUEST_URI]\n",
                      FILE_APPEND);
}

/* --- so many pages in a time */

$limit = (int) ($_SERVER['SITE_LIMIT'] ?? 0);
$window = (int) ($_SERVER['SITE_WINDOW'] ?? 60);

if ($limit > 0) {
    $file = fopen($_SERVER['SITE_LOG'] . '-count', 'c+');
    flock($file, LOCK_EX);
    [$since, $count] = explode(' ', fread($file, 64) . ' 0 0');
    $now = microtime(true);

    if ($now - (float) $since >= $window) {
        [$since, $count] = [$now, 0];
    }

    $count++;
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, "$since $count");
    flock($file, LOCK_UN);

    if ($count > $limit) {
        http_response_code(429);
        header('Retry-After: ' . (int) ceil($window - ($now - (float) $since)));
        echo '<title>Slow down</title><p>There are too many requests.';
        exit;
    }
}

/* --- the page */

$lang = choice('lang', array_keys(TEXTS));
[$title, $text] = page($path, TEXTS[$lang]);

header('Content-Type: text/html; charset=utf-8');

if (isset($noise['cookie'])) {
    setcookie('PHPSESSID', bin2hex(random_bytes(16)));
}

echo "<!DOCTYPE html>\n<html lang=\"$lang\"><head><title>$title</title>\n";

switch ($_SERVER['SITE_CANONICAL'] ?? '') {
    case 'right':
        echo '<link rel="canonical" href="', htmlspecialchars(canonical($path)),
             "\">\n";
        break;
    case 'home':
        echo "<link rel=\"canonical\" href=\"/\">\n";
        break;
    case 'asked':
        echo '<link rel="canonical" href="',
             htmlspecialchars($_SERVER['REQUEST_URI']), "\">\n";
        break;
}

if (isset($noise['token'])) {
    echo '<meta name="csrf-token" content="', bin2hex(random_bytes(8)), "\">\n",
         '<script nonce="', bin2hex(random_bytes(8)), "\">var a=1;</script>\n";
}

echo "</head><body><h1>$title</h1>\n$text\n";

if (isset($noise['clock'])) {
    echo '<p>It is ', date('H:i:s'), '.', random_int(0, 999), "</p>\n";
}

if (isset($noise['counter'])) {
    echo '<p>You are visitor ', random_int(1, 1 << 30), "</p>\n";
}

if (isset($noise['token'])) {
    echo '<form><input type="hidden" name="t" value="',
         bin2hex(random_bytes(8)), "\"></form>\n";
}

if (isset($noise['advert'])) {
    echo '<aside><img src="/ad/', random_int(1, 9999), '.png" alt="advert">',
         words('ad ' . random_int(1, 50), 8), "</aside>\n";
}

if (isset($noise['rotate'])) {
    $more = range(1, 8);
    shuffle($more);
    echo '<p>More: ', implode(' ', array_map(fn ($i) => words("more $i", 2),
                                             $more)), "</p>\n";
}

if (isset($noise['seldom'])
    && crc32($_SERVER['REQUEST_URI']) % 100 == 0) {
    echo "<p>Today only: ", words('banner', 6), "</p>\n";
}

if (isset($noise['echo'])) {
    echo '<p><a href="', htmlspecialchars($_SERVER['REQUEST_URI']),
         "&amp;share=1\">Share</a></p>\n";
}

if (isset($noise['time'])) {
    echo '<!-- made in ', random_int(1, 99999), " us -->\n";
}

echo "</body></html>\n";
