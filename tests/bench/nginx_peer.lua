-- Copyright (C) the ngx_miqps authors
--
-- The module in Lua, for requests.

local lists = require 'lists'
local clean = require 'nginx_clean'


return function()
    local var = ngx.var
    local args, list = var.args, lists[var.host]

    if not args or not list then
        return var.request_uri
    end

    args = clean(args, list)

    return args == '' and var.uri or var.uri .. '?' .. args
end
