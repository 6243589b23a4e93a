<?php

// Copyright (C) the ngx_miqps authors
//
// Answers with what PHP knows of the URL, one line each.

$said = $_SERVER['REQUEST_URI'] . "\n" . $_SERVER['QUERY_STRING'];

header('Content-Length: ' . strlen($said));
echo $said;
