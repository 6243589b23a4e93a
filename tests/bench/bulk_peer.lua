-- Copyright (C) the ngx_miqps authors
--
-- miqps_normalize in Lua, for lines: takes tracking parameters out of each URL,
-- sorts the rest by name, and writes escapes in one way.  Whatever else the
-- module looks at, signatures and so on, is not looked at here.

local lists = require 'lists'

local find, sub, byte, sort = string.find, string.sub, string.byte, table.sort
local concat = table.concat
local escape, unescape = ngx.escape_uri, ngx.unescape_uri


local function base(name)
    if find(name, '%', 1, true) then
        name = unescape(name)
    end

    local bracket = find(name, '[', 1, true)

    return bracket and sub(name, 1, bracket - 1) or name
end


local function before(a, b)
    if a.key == b.key then
        return a.at < b.at
    end

    return a.key < b.key
end


local function clean(args, names)
    local kept, n, from, last = {}, 0, 1, #args

    while from <= last do
        local to = find(args, '&', from, true) or last + 1
        local equals = find(args, '=', from, true)

        if not equals or equals >= to then
            equals = to
        end

        local key = base(sub(args, from, equals - 1))

        if not names[key] and sub(key, 1, 4) ~= 'utm_' then
            local text = sub(args, from, to - 1)

            if find(text, '%', 1, true) then
                text = sub(args, from, equals)
                       .. escape(unescape(sub(args, equals + 1, to - 1)))
            end

            n = n + 1
            kept[n] = { key = key, at = from, text = text }
        end

        from = to + 1
    end

    sort(kept, before)

    for i = 1, n do
        kept[i] = kept[i].text
    end

    return concat(kept, '&')
end


local function url(line, names)
    local question = find(line, '?', 1, true)

    if not question then
        return line
    end

    local hash = find(line, '#', question, true) or #line + 1
    local args = clean(sub(line, question + 1, hash - 1), names)

    return sub(line, 1, question - (args == '' and 1 or 0)) .. args
           .. sub(line, hash)
end


local function each_line()
    local name = ngx.req.get_body_file()

    if name then
        return io.lines(name)
    end

    return string.gmatch(ngx.req.get_body_data() or '', '([^\n]*)\n')
end


return function()
    ngx.req.read_body()
    ngx.header.content_type = 'text/plain'

    local names, out, n = lists.tracking, {}, 0

    for line in each_line() do
        n = n + 1
        out[n] = url(line, names)

        if n == 1000 then
            out[n + 1] = ''
            ngx.print(concat(out, '\n'))
            ngx.flush(true)
            out, n = {}, 0
        end
    end

    out[n + 1] = ''
    ngx.print(concat(out, '\n'))
end
