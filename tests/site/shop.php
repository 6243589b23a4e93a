<?php

/*
 * Copyright (C) the ngx_miqps authors
 *
 * A shop whose truth is known: tests/site/traffic.py says of each URL which
 * page it is.  Parameters that are not read here do not matter.
 */

require __DIR__ . '/page.php';

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

$path = explode('?', $_SERVER['REQUEST_URI'], 2)[0];


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

limit();

/* --- the page */

$lang = choice('lang', array_keys(TEXTS));
[$title, $text] = page($path, TEXTS[$lang]);

make($title, $text, $lang, canonical($path));
