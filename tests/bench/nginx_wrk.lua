-- Copyright (C) the ngx_miqps authors
--
-- Lets wrk send the requests of a file, one "host target" a line, over and
-- over, and print how many were answered and how many were not as they should.

local requests, at = {}, 0


function init(args)
    for line in io.lines(args[1]) do
        local host, target = line:match('^(%S+) (%S+)$')

        requests[#requests + 1] = wrk.format('GET', target, { Host = host })
    end
end


function request()
    at = at % #requests + 1

    return requests[at]
end


function done(summary)
    local e = summary.errors

    print('answered', summary.requests,
          e.connect + e.read + e.write + e.status + e.timeout)
end
