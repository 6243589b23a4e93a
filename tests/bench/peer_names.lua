-- Copyright (C) the ngx_miqps authors
--
-- What the name of a parameter says: to which family it belongs, whether it
-- stays, and what the guard makes of it.

local bit = require 'bit'
local marks = require 'marks'
local trackers = require 'trackers'
local escape = require 'peer_escape'

local bor = bit.bor
local find, gsub, match, sub = string.find, string.gsub, string.match,
                               string.sub

local MOST = 10000      -- names that a scope remembers
local DEEPEST = 31      -- pairs of brackets


-- the length of what stands before the brackets, or nil

local function outside(name)
    local bracket = find(name, '[%[%]]')

    if not bracket then
        return #name
    end

    local rest, n = gsub(sub(name, bracket), '%[[^%[%]]*%]', '')

    if bracket > 1 and rest == '' and n <= DEEPEST then
        return bracket - 1
    end
end


-- The family of a name, or nil if back ends disagree on it; and true if it had
-- to be made.

local function family(name)
    if not find(name, '[%%%[%].+?\128-\255]') then
        return name
    end

    if find(name, '^%?') or find(name, '[\128-\255]') then
        return nil
    end

    local decoded = escape.decode(gsub(name, '%+', ' '))
    local len = outside(decoded)

    if not len or find(decoded, '^ ') or find(decoded, '[&=]')
       or not escape.utf8(decoded)
    then
        return nil
    end

    return gsub(sub(decoded, 1, len), '[. +]', '_'), true
end


-- "password" of "user[password]"

local function inner(name)
    local cut = gsub(gsub(name, '%%5D$', ']'), '%]$', '')

    cut = gsub(cut, '%%5B', '[')

    return match(cut, '.*%[(.*)') or cut
end


local function prefixed(prefixes, name)
    for prefix, what in pairs(prefixes) do
        if sub(name, 1, #prefix) == prefix then
            return what
        end
    end
end


local function marks_of(name, of_family, special)
    local found = bor(marks.names[name] or 0,
                      prefixed(marks.prefixes, name) or 0)

    if special then
        found = bor(found, marks.names[of_family] or 0,
                    marks.names[inner(name)] or 0)
    end

    return found
end


local function stays(list, name, of_family)
    if list then
        return list[name] or list[of_family] or false
    end

    return not (trackers.names[name] or prefixed(trackers.prefixes, name))
end


-- "list" has the names that stay, or is nil where only trackers go

local function scope(list)
    return { list = list, names = {}, families = {}, count = 0 }
end


-- forgets all names, if there are many; not amid a query

local function forget(of)
    if of.count > MOST then
        of.names, of.families, of.count = {}, {}, 0
    end
end


-- what a scope knows of a name from now on; false if it is refused

local function learn(of, name)
    local one, text, special = false, family(name)

    if text then
        local all = of.families[text] or { seen = 0, stays = 0, one = false }

        of.families[text] = all

        one = {
            family = all,
            text = text,
            keep = stays(of.list, name, text),
            marks = marks_of(name, text, special)
        }
    end

    of.names[name] = one
    of.count = of.count + 1

    return one
end


return { scope = scope, learn = learn, forget = forget }
