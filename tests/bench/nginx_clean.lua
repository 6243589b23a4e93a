-- Copyright (C) the ngx_miqps authors
--
-- The module's job in Lua: keeps what a list names, sorts it, and writes escapes
-- in one way.

local find, sub, sort = string.find, string.sub, table.sort
local concat = table.concat
local escape, unescape = ngx.escape_uri, ngx.unescape_uri


-- "filter" of "filter[]"

local function base(name)
    if find(name, '%', 1, true) then
        name = unescape(name)
    end

    local bracket = find(name, '[', 1, true)

    return bracket and sub(name, 1, bracket - 1) or name
end


local function pair(text, list, at)
    local equals = find(text, '=', 1, true) or #text + 1
    local key = base(sub(text, 1, equals - 1))

    if not list[key] then
        return nil
    end

    if find(text, '%', equals, true) then
        text = sub(text, 1, equals)
               .. escape(unescape(sub(text, equals + 1)))
    end

    return { key = key, at = at, text = text }
end


local function before(a, b)
    if a.key == b.key then
        return a.at < b.at
    end

    return a.key < b.key
end


local function clean(args, list)
    local kept, n, from, last = {}, 0, 1, #args

    while from <= last do
        local to = find(args, '&', from, true) or last + 1
        local one = pair(sub(args, from, to - 1), list, from)

        if one then
            n = n + 1
            kept[n] = one
        end

        from = to + 1
    end

    sort(kept, before)

    for i = 1, n do
        kept[i] = kept[i].text
    end

    return concat(kept, '&')
end


return clean
