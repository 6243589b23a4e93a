-- Copyright (C) the ngx_miqps authors
--
-- miqps_normalize in Lua, for lines, with the same answers.

local lines = require 'peer_lines'

local byte, find, sub = string.byte, string.find, string.sub

local READ = 64 * 1024
local LINE = 80 * 1024      -- what is longer passes as it is


-- what is left to read, some of it at a time, then nil

local function reader()
    local name = ngx.req.get_body_file()

    if name then
        local file = assert(io.open(name, 'rb'))

        return function()
            local some = file:read(READ)

            if not some then
                file:close()
            end

            return some
        end
    end

    local data = ngx.req.get_body_data()

    return function()
        local some = data
        data = nil
        return some
    end
end


-- where the last line ends, or 0

local function last_feed(s)
    local at = #s

    while at > 0 and byte(s, at) ~= 10 do
        at = at - 1
    end

    return at
end


local function send(s)
    ngx.print(s)
    ngx.flush(true)
end


-- Answers the lines of "some", the first of which began with "rest", and
-- returns the rest.  It is nil amid a line that is too long.

local function answer(rest, some, host)
    local first, last = find(some, '\n', 1, true), last_feed(some)

    if not first then
        rest = rest and rest .. some

        if not rest or #rest > LINE then
            send(rest or some)
            return nil
        end

        return rest
    end

    if rest then
        rest = rest .. sub(some, 1, first)
        lines.normalize(rest, 1, #rest, host)
        lines.normalize(some, first + 1, last, host)
        send(lines.take())
    else
        lines.normalize(some, first + 1, last, host)
        send(sub(some, 1, first) .. lines.take())
    end

    rest = sub(some, last + 1)

    if #rest > LINE then
        send(rest)
        return nil
    end

    return rest
end


return function()
    ngx.req.read_body()
    ngx.header.content_type = 'text/plain'

    local host, rest = ngx.var.host, ''

    for some in reader() do
        rest = answer(rest, some, host)
    end

    if rest ~= '' then
        answer(rest, '\n', host)
    end
end
