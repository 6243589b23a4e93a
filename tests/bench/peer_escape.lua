-- Copyright (C) the ngx_miqps authors
--
-- Escapes of a query, and bytes that are not ASCII.

local buffer = require 'string.buffer'
local ffi = require 'ffi'

local byte, char, find, sub = string.byte, string.char, string.find, string.sub
local gsub, upper = string.gsub, string.upper
local cast = ffi.cast


local out = buffer.new()


-- what becomes of an escape, and what it stands for

local written, decoded, code = {}, {}, {}

for one in string.gmatch('0123456789ABCDEFabcdef', '.') do
    for two in string.gmatch('0123456789ABCDEFabcdef', '.') do
        local c = tonumber(one .. two, 16)
        local escape = '%' .. one .. two
        local plain = find(char(c), '^[%w._~-]')

        if c > 0 then
            written[escape] = plain and char(c) or upper(escape)
            decoded[escape] = char(c)
            code[escape] = c
        end
    end
end


-- how many bytes follow the first one of a character, and what the next of them
-- is at least and at most

local function shape(c)
    if c >= 0xc2 and c <= 0xdf then
        return 1, 0x80, 0xbf
    elseif c >= 0xe0 and c <= 0xef then
        return 2, c == 0xe0 and 0xa0 or 0x80, c == 0xed and 0x9f or 0xbf
    elseif c >= 0xf0 and c <= 0xf4 then
        return 3, c == 0xf0 and 0x90 or 0x80, c == 0xf4 and 0x8f or 0xbf
    end

    return 0, 0, 0
end


local function utf8(s)
    local at, last = 1, #s

    while at <= last do
        local c = byte(s, at)

        if c < 128 then
            at = at + 1

        else
            local n, low, most = shape(c)

            if n == 0 or at + n > last then
                return false
            end

            for i = at + 1, at + n do
                c = byte(s, i)

                if c < low or c > most then
                    return false
                end

                low, most = 0x80, 0xbf
            end

            at = at + n + 1
        end
    end

    return true
end


local function decode(s)
    return (gsub(s, '%%..', decoded))
end


-- Looks at the escapes of a query, from the first "%" on.  Returns whether they
-- would change, and whether they are UTF-8; nil if one is wrong.

local function inspect(s, at, last)
    local changes, text, missing, behind = false, true, 0, 0
    local low, most

    while at and at <= last do
        local escape = sub(s, at, at + 2)
        local c = code[escape]

        if not c then
            return nil
        end

        if missing > 0 then
            text = text and at == behind and c >= low and c <= most
            missing, low, most = missing - 1, 0x80, 0xbf

        elseif c >= 128 then
            missing, low, most = shape(c)
            text = text and missing > 0
        end

        changes = changes or written[escape] ~= escape
        behind = at + 3
        at = find(s, '%', behind, true)
    end

    return changes, text and missing == 0
end


-- Writes the escapes of a query in one way; "at" is the first "%".  Returns
-- false if there is nothing to change, and nil if nothing may change.

local function normalize(s, first, at, last)
    local changes, text = inspect(s, at, last)

    if not changes or not text then
        return changes and nil
    end

    local p = cast('const char *', s) - 1

    while at and at <= last do
        out:putcdata(p + first, at - first)
        out:put(written[sub(s, at, at + 2)])

        first = at + 3
        at = find(s, '%', first, true)
    end

    out:putcdata(p + first, last - first + 1)

    local made = out:get()

    return made
end


return { normalize = normalize, decode = decode, utf8 = utf8 }
