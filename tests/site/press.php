<?php

/*
 * Copyright (C) the ngx_miqps authors
 *
 * A newspaper whose truth is known, with pages that have several paths:
 * tests/site/press.py says of each URL which page it is.
 *
 *     /news/17/any-words       what is behind the number does not matter,
 *     /news/17                 and need not be there
 *     /story.php?id=17         the same page
 *     /s/9f2c.../news/17       a session in front of any path
 *     /katalog/8, /catalog/8   two words for one folder
 *     /tag/red, /tag/red/      with a slash or without
 *     /tag/red/index.html      or by the name of the file
 *     /tag/red?page=1          which goes without saying
 *
 * and what looks like it:
 *
 *     /en/8, /de/8             two languages
 *     /v1/8, /v2/8             two versions
 *     /print/17                the news without the words
 *     /media/9f2c...           hex digits that are the page
 *     /doc/8?v=2               a small number that is the page
 */

require __DIR__ . '/page.php';


function story(int $id): array
{
    return [ucfirst(words("headline $id", 4)),
            '<p>' . words("story $id", 80) . '</p><p>Story ' . $id . '</p>'];
}


function page(string $path): array
{
    $path = preg_replace('{^/s/[0-9a-f]{16}(?=/)}', '', $path);

    if (preg_match('{^/news/([0-9]+)(/[a-z0-9-]+)?$}', $path, $m)) {
        return story((int) $m[1]);
    }

    if ($path === '/story.php') {
        return number('id', 0) > 0 ? story(number('id', 0)) : missing();
    }

    if (preg_match('{^/(katalog|catalog)/([0-9]+)$}', $path, $m)) {
        return ["Catalogue $m[2]", '<p>' . words("catalogue $m[2]", 60)
                                   . '</p>'];
    }

    if (preg_match('{^/tag/([a-z]+)(/|/index\.html)?$}', $path, $m)) {
        $page = number('page', 1);

        return ["Tag $m[1]", "<p>Page $page</p><p>"
                             . words("tag $m[1] $page", 50) . '</p>'];
    }

    if (preg_match('{^/(en|de|v1|v2)/([0-9]+)$}', $path, $m)) {
        return ["$m[1] $m[2]", '<p>' . words("$m[1] $m[2]", 60) . '</p>'];
    }

    if (preg_match('{^/print/([0-9]+)$}', $path, $m)) {
        return [ucfirst(words("headline $m[1]", 4)),
                '<p>' . words("print $m[1]", 20) . '</p>'];
    }

    if (preg_match('{^/media/([0-9a-f]{16})$}', $path, $m)) {
        return ["Picture $m[1]", "<img src=\"/m/$m[1].jpg\"><p>"
                                 . words("media $m[1]", 30) . '</p>'];
    }

    if (preg_match('{^/doc/([0-9]+)$}', $path, $m)) {
        $v = number('v', 1);

        return ["Document $m[1]", "<p>Version $v</p><p>"
                                  . words("doc $m[1] $v", 60) . '</p>'];
    }

    if ($path === '/') {
        return ['The press', '<p>' . words('press', 50) . '</p>'];
    }

    return missing();
}


limit();

$path = explode('?', $_SERVER['REQUEST_URI'], 2)[0];
[$title, $text] = page($path);

make($title, $text, 'en', $path);
