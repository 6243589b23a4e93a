<?php

/*
 * Copyright (C) the ngx_miqps authors
 *
 * What sites for tests have in common: words, parameters, and how a page is
 * made, with noise.
 *
 * SITE_NOISE is a list of what differs each time a page is made, whatever the
 * URL is: clock, counter, token, advert, rotate, time, echo, cookie; "tick", a
 * clock that stands still for a second; "made", how long it took; "shuffle",
 * what the page is about, in any order; "cells", which change beside one that
 * does not; and "seldom", a banner at one URL in a hundred.
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


function missing(): array
{
    http_response_code(404);

    return ['Not found', '<p>There is no such page.</p>'];
}


/* so many pages in a time */

function limit(): void
{
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
}


/* "canonical" is the URL that it should declare */

function make(string $title, string $text, string $lang,
              string $canonical): void
{
    $noise = array_flip(array_filter(explode(',',
                                             $_SERVER['SITE_NOISE'] ?? '')));

    header('Content-Type: text/html; charset=utf-8');

    if (isset($noise['cookie'])) {
        setcookie('PHPSESSID', bin2hex(random_bytes(16)));
    }

    echo "<!DOCTYPE html>\n<html lang=\"$lang\"><head><title>$title</title>\n";

    switch ($_SERVER['SITE_CANONICAL'] ?? '') {
        case 'right':
            echo '<link rel="canonical" href="', htmlspecialchars($canonical),
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

    if (isset($noise['tick'])) {
        echo '<p>The time is ', date('H:i:s'), "</p>\n";
    }

    if (isset($noise['made'])) {
        printf("<p>Page generated in %.3f s with %d queries</p>\n",
               random_int(1, 9999) / 1000, random_int(9, 40));
    }

    if (isset($noise['shuffle'])) {
        $own = range(1, 6);
        shuffle($own);
        echo '<ul><li>', implode('</li><li>', array_map(
            fn ($i) => words("$title own $i", 3), $own)), "</li></ul>\n";
    }

    if (isset($noise['cells'])) {
        echo '<table><tr><td>', microtime(true), '</td><td>',
             bin2hex(random_bytes(8)), '</td><td>', crc32($title) % 1000,
             " EUR</td></tr></table>\n";
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
}
