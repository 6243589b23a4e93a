-- Copyright (C) the ngx_miqps authors
--
-- miqps_normalize in Lua, for lines.

local lists = require 'lists'
local clean = require 'nginx_clean'

local find, sub, concat = string.find, string.sub, table.concat


local function url(line)
    local question = find(line, '?', 1, true)

    if not question then
        return line
    end

    local slash = find(line, '/', 9, true)
    local list = slash and lists[sub(line, 8, slash - 1)]

    if not list then
        return line
    end

    local hash = find(line, '#', question, true) or #line + 1
    local args = clean(sub(line, question + 1, hash - 1), list)

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


-- a thousand at a time, so that memory does not grow and others have their turn

return function()
    ngx.req.read_body()
    ngx.header.content_type = 'text/plain'

    local out, n = {}, 0

    for line in each_line() do
        n = n + 1
        out[n] = url(line)

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
