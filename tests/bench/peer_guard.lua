-- Copyright (C) the ngx_miqps authors
--
-- Tells queries that a signature covers, or that hold a secret, by names and
-- values.

local bit = require 'bit'
local marks = require 'marks'

local band, bor, bnot = bit.band, bit.bor, bit.bnot
local byte, find, sub = string.byte, string.find, string.sub


local LIKE = bor(marks.SIGN_LIKE, marks.OAUTH_LIKE, marks.TOKEN_LIKE)

local SCHEMES = {
    marks.SIGNED,
    marks.SIGN_LIKE,
    bor(marks.SIGN, marks.EXPIRES),
    bor(marks.SAS_SIG, marks.SAS),
    marks.OAUTH,
    marks.OAUTH_LIKE,
    bor(marks.CODE, marks.STATE),
    marks.SECRET,
    marks.TOKEN_LIKE
}

local UUID = '^' .. string.rep('%x', 8) .. '%-%x%x%x%x%-%x%x%x%x%-%x%x%x%x%-'
             .. string.rep('%x', 12) .. '$'

local OTHER, DASH, DIGIT, CAPITAL, SMALL = 0, 1, 2, 3, 4


local kinds = {}

for c = 0, 255 do
    local one = string.char(c)

    kinds[c] = find(one, '%d') and DIGIT or find(one, '[A-Z]') and CAPITAL
               or find(one, '[a-z]') and SMALL or find(one, '[-_]') and DASH
               or OTHER
end


-- digits of base64 that are escaped

local base64 = { ['%2B'] = true, ['%2F'] = true, ['%3D'] = true }


-- whether small letters, capitals and digits change as often as in random ones

local function random(value)
    local run, word, changes, digits, last = 0, 0, 0, 0, OTHER
    local i, len = 1, #value

    while i <= len do
        local kind = kinds[byte(value, i)]

        if kind == OTHER and base64[sub(value, i, i + 2)] then
            kind = DASH
            i = i + 2
        end

        if kind == OTHER then
            run, changes, digits = 0, 0, 0
        end

        if kind == OTHER or kind == DASH then
            word = 0

        else
            if word > 0 and kind ~= last
               and not (word == 1 and last == CAPITAL and kind == SMALL)
            then
                changes = changes + 1
            end

            run = run + 1
            word = word + 1
            digits = digits + (kind == DIGIT and 1 or 0)
            last = kind

            if run >= 16 and digits < run and changes > 1
               and changes * 6 >= run
            then
                return true
            end
        end

        i = i + 1
    end

    return false
end


local function secret(value)
    return #value >= 16
           and (sub(value, 1, 3) == 'eyJ'
                or #value == 36 and find(value, UUID) ~= nil
                or random(value))
end


local function short_sign(value)
    return #value >= 8 and find(value, '%d') ~= nil
           and not find(value, '+', 1, true)
           and not find(value, '%20', 1, true)
end


-- a time: letters, digits and little else

local function epoch(value)
    if #value < 8 or find(value, '[^%w:%%.-]') then
        return false
    end

    local _, digits = string.gsub(value, '%d', '')

    return digits >= 4
end


-- what is left of the marks of a name when its value is looked at

local function note(found, value)
    if band(found, bor(LIKE, marks.SIGN)) ~= 0 and not secret(value) then
        found = band(found, bnot(LIKE))

        if not short_sign(value) then
            found = band(found, bnot(marks.SIGN))
        end
    end

    if band(found, marks.EXPIRES) ~= 0 and not epoch(value) then
        found = band(found, bnot(marks.EXPIRES))
    end

    return found
end


-- true if a query with all these marks may change

local function passes(seen)
    for i = 1, #SCHEMES do
        if band(seen, SCHEMES[i]) == SCHEMES[i] then
            return false
        end
    end

    return true
end


return { note = note, passes = passes }
