-- Copyright (C) the ngx_miqps authors
--
-- One query: takes it apart, drops what does not stay, and sorts the rest.

local bit = require 'bit'
local ffi = require 'ffi'
local guard = require 'peer_guard'
local names = require 'peer_names'

local bor, find, sub = bit.bor, string.find, string.sub
local cast = ffi.cast

local PIECES = 1000     -- at most
local NEVER = 2^31


-- the parameters that stay, in order: where they are, and their families

local first, last, text = {}, {}, {}
local kept = 0
local sorted = true

local serial = 0        -- of the query
local pieces = 0
local mixed = false     -- a family has members that stay and others
local seen = 0          -- marks of the guard


local function insert(from, to, family)
    local k = kept

    kept = k + 1

    while k > 0 and family < text[k] do
        first[k + 1], last[k + 1], text[k + 1] = first[k], last[k], text[k]
        k = k - 1
        sorted = false
    end

    first[k + 1], last[k + 1], text[k + 1] = from, to, family
end


-- A family goes or stays as a whole, and goes only under one name.

local function meet(family, one)
    local before = family.one

    if family.seen == serial and before ~= one
       and not (before.keep and one.keep)
    then
        family.stays = serial
        mixed = true
    end

    family.seen = serial
    family.one = one
end


-- "]=" in a value ends a name for some

local function splits(value)
    return find(value, ']=', 1, true) or find(value, '%5D=', 1, true)
end


-- one parameter, with the "=" of its value or 0; false if the guard refuses it

local function piece(scope, s, from, equals, to)
    local name = sub(s, from, equals > 0 and equals - 1 or to)
    local one = scope.names[name]

    if one == nil then
        one = names.learn(scope, name)
    end

    if not one then
        return false
    end

    if one.marks ~= 0 then
        seen = bor(seen, guard.note(one.marks, equals > 0
                                    and sub(s, equals + 1, to) or ''))
    end

    meet(one.family, one)

    if one.keep or one.family.stays == serial then
        insert(from, to, one.text)
    end

    return true
end


-- false if the guard refuses it

local function walk(scope, s, from, to)
    local equals = find(s, '=', from, true) or NEVER

    kept, sorted, pieces, mixed, seen = 0, true, 0, false, 0

    while from <= to + 1 do
        local stop = find(s, '&', from, true)
        local value = 0

        if not stop or stop > to then
            stop = to + 1
        end

        pieces = pieces + 1

        if equals < from then
            equals = find(s, '=', from, true) or NEVER
        end

        if equals < stop then
            value = equals
            equals = find(s, '=', equals + 1, true) or NEVER

            if equals < stop and splits(sub(s, value + 1, stop - 1)) then
                return false
            end
        end

        if from < stop and not piece(scope, s, from, value, stop - 1) then
            return false
        end

        from = stop + 1
    end

    return true
end


-- Looks at bytes "from" to "to"; false if they must not change.

local function look(scope, s, from, to)
    names.forget(scope)

    serial = serial + 1

    if not walk(scope, s, from, to) then
        return false
    end

    if mixed then
        walk(scope, s, from, to)
    end

    return pieces <= PIECES and (seen == 0 or guard.passes(seen))
end


-- true if what look() saw stays as it is

local function same()
    return sorted and kept == pieces
end


local function some()
    return kept > 0
end


-- writes it to a buffer

local function put(out, s)
    local p = cast('const char *', s) - 1

    for i = 1, kept do
        if i > 1 then
            out:put('&')
        end

        out:putcdata(p + first[i], last[i] - first[i] + 1)
    end

    -- a lone word is something else

    if kept == 1 and pieces > 1
       and not find(sub(s, first[1], last[1]), '=', 1, true)
    then
        out:put('&')
    end
end


return { look = look, same = same, some = some, put = put }
