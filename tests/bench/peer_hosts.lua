-- Copyright (C) the ngx_miqps authors
--
-- Which names stay at the host of a URL.

local lists = require 'lists'
local names = require 'peer_names'

local find, lower, match, sub = string.find, string.lower, string.match,
                                string.sub

local MOST = 10000      -- authorities that are remembered
local LONGEST = 255     -- bytes of a host


local anywhere = names.scope(nil)
local scopes = {}

for host, list in pairs(lists) do
    scopes[host] = names.scope(list)
end


local function by_host(host)
    return scopes[host] or anywhere
end


-- false if there is no host between user and port

local function by_authority(text)
    local host = match(text, '.*@(.*)') or text

    if find(text, '[%c \\]') then
        return false
    end

    host = match(host, '^(%[[^%]]*%])$') or match(host, '^(%[[^%]]*%]):')
           or match(host, '^[^%[:][^:]*')
    host = host and match(host, '^(.-)%.?$')

    if not host or #host > LONGEST then
        return false
    end

    return by_host(lower(host))
end


local known, count = {}, 0

local function learn(text)
    if count >= MOST then
        known, count = {}, 0
    end

    known[text] = by_authority(text)
    count = count + 1

    return known[text]
end


-- where an authority begins, or nil; 0 if there is none

local function start(s, first)
    if sub(s, first, first + 6) == 'http://' then
        return first + 7
    elseif sub(s, first, first + 7) == 'https://' then
        return first + 8
    elseif sub(s, first, first) == '/' then
        return sub(s, first + 1, first + 1) == '/' and first + 2 or 0
    end

    local scheme = lower(sub(s, first, first + 7))

    return find(scheme, '^http://') and first + 7
           or scheme == 'https://' and first + 8 or nil
end


-- The scope of a URL whose "?" is at "question"; "own" is of those without a
-- host.  Nil or false if it is not a URL.

local function find_scope(s, first, question, own)
    local at = start(s, first)

    if not at or at == 0 then
        return at and own
    end

    local slash = find(s, '/', at, true)
    local stop = slash and slash < question and slash or question
    local text = sub(s, at, stop - 1)
    local scope = known[text]

    if scope == nil then
        return learn(text)
    end

    return scope
end


return { by_host = by_host, find = find_scope }
