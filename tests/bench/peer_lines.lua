-- Copyright (C) the ngx_miqps authors
--
-- Normalizes all URLs of a text, one a line.  What does not change is copied as
-- it is, from one query that does to the next.

local bit = require 'bit'
local buffer = require 'string.buffer'
local ffi = require 'ffi'
local escape = require 'peer_escape'
local hosts = require 'peer_hosts'
local query = require 'peer_query'

local band, bor, bxor = bit.band, bit.bor, bit.bxor
local byte, find, sub = string.byte, string.find, string.sub
local cast = ffi.cast

local LINE = 80 * 1024      -- longer ones stay as they are
local ARGS = 64 * 1024

local NEVER = 2^31
local BOM = '\239\187\191'


local words = ffi.typeof('const uint64_t *')

local ONES = 0x0101010101010101ULL
local BELOW = 0x21 * ONES
local SEMICOLON = 0x3b * ONES
local TOP = 0x80 * ONES


-- not 0 if one of eight bytes is not printable ASCII, or ";"

local function odd(p)
    local w = cast(words, p)[0]

    return band(bor(w, w + ONES, w - BELOW, bxor(w, SEMICOLON) - ONES), TOP)
end


local function odd_few(s, first, last)
    return find(sub(s, first, last), '[%c ;\127-\255]') ~= nil
end


local function odd_bytes(s, first, last)
    if last - first < 7 then
        return odd_few(s, first, last)
    end

    local p = cast('const char *', s) - 1
    local found = odd(p + last - 7)

    for at = first, last - 8, 8 do
        found = bor(found, odd(p + at))
    end

    return found ~= 0
end


-- whether a query has bytes that none has, or bytes that are not UTF-8

local function bad(s, first, last)
    if not odd_bytes(s, first, last) then
        return false
    end

    local args = sub(s, first, last)

    return find(args, '[%c ;]') or not escape.utf8(args)
end


local out = buffer.new(256 * 1024)

local text              -- all of it
local copied            -- how much of it is in "out", or has its place taken
local own               -- scope of URLs without a host

-- the next of their kind, or NEVER

local question, hash, percent


local function seek(what, at)
    return find(text, what, at, true) or NEVER
end


local function copy(to)
    out:putcdata(cast('const char *', text) + copied, to - copied)
end


local function args(scope, first, last)
    local s, from, to = text, first, last

    if percent < first then
        percent = seek('%', first)
    end

    if percent <= last then
        local made = escape.normalize(s, first, percent, last)

        if made == nil then
            return
        end

        if made then
            s, from, to = made, 1, #made
        end
    end

    if not query.look(scope, s, from, to) or s == text and query.same() then
        return
    end

    copy(query.some() and first - 1 or first - 2)
    query.put(out, s)
    copied = last
end


-- a line with a "?", without its end

local function line(first, last)
    if last - first >= LINE then
        return
    end

    if byte(text, last) == 13 then
        last = last - 1
    end

    if byte(text, first) == 239 and sub(text, first, first + 2) == BOM then
        first = first + 3
    end

    if hash < first then
        hash = seek('#', first)
    end

    if hash <= last then
        last = hash - 1
    end

    local scope = question <= last and hosts.find(text, first, question, own)

    if not scope then
        return
    end

    if question == last then
        copy(question - 1)
        copied = question
    elseif last - question <= ARGS and not bad(text, question + 1, last) then
        args(scope, question + 1, last)
    end
end


-- Bytes "first" to "last" are whole lines, each with its end; "host" is that of
-- URLs without one.

local function normalize(s, first, last, host)
    text, copied, own = s, first - 1, hosts.by_host(host)
    question, hash, percent = 0, 0, 0

    while first <= last do
        local feed = find(s, '\n', first, true)

        if question < first then
            question = seek('?', first)
        end

        if question < feed then
            line(first, feed - 1)
        end

        first = feed + 1
    end

    copy(last)
end


-- what became of all lines since it was called last

local function take()
    local made = out:get()

    return made
end


return { normalize = normalize, take = take }
