<?php

/*
 * Copyright (C) the ngx_miqps authors
 *
 * What WordPress does with a request, as far as a cache is concerned: its
 * front controller takes permalinks from REQUEST_URI, everything else from
 * QUERY_STRING, and prints a page that depends on both and on who is logged
 * in.  Each run is noted in runs.log.
 */

$uri = $_SERVER['REQUEST_URI'];
$path = explode('?', $uri, 2);

file_put_contents(__DIR__ . '/../runs.log',
                  $_SERVER['REQUEST_METHOD'] . " $uri\n", FILE_APPEND);

$user = 'anybody';

foreach ($_COOKIE as $name => $value) {
    if (strpos($name, 'wordpress_logged_in_') === 0) {
        $user = $value;
    }
}

if ($path[0] == '/none/') {
    http_response_code(404);
}

$known = ['p', 's', 'paged', 'replytocom', 'preview'];
$query = array_intersect_key($_GET, array_flip($known));

header('Content-Type: text/html; charset=UTF-8');

echo "path $path[0]\n";
echo 'query ', http_build_query($query), "\n";
echo "user $user\n";
echo 'REQUEST_URI ', $path[1] ?? '', "\n";
echo 'QUERY_STRING ', $_SERVER['QUERY_STRING'], "\n";
