<?php

/*
 * Copyright (C) the ngx_miqps authors
 *
 * What PHP makes of each query on standard input.  parse_str() is the code
 * that fills $_GET.  An array is written with its keys, in their order: a
 * list is the array whose keys are 0, 1, 2...
 */

error_reporting(0);


function node($value)
{
    if (!is_array($value)) {
        return '"' . rawurlencode($value) . '"';
    }

    $items = [];

    foreach ($value as $key => $item) {
        $items[] = '"' . rawurlencode($key) . '":' . node($item);
    }

    return '{' . implode(',', $items) . '}';
}


while (($line = fgets(STDIN)) !== false) {
    parse_str(rtrim($line, "\n"), $params);

    $entries = [];

    foreach ($params as $name => $value) {
        $entries[] = '"' . rawurlencode($name) . '"=' . node($value);
    }

    echo implode(' ', $entries), "\n";
}
