-- Copyright (C) the ngx_miqps authors
--
-- Lets wrk send the requests of a file, one "host target" a line, over and
-- over, and print how many were answered, how many were not as they should, and
-- the median and p99 of the latency in microseconds.  With a number after the
-- file there are pauses between requests, of as many ms at most.

local requests, at = {}, 0


function init(args)
    for line in io.lines(args[1]) do
        local host, target = line:match('^(%S+) (%S+)$')

        requests[#requests + 1] = wrk.format('GET', target, { Host = host })
    end

    if args[2] then
        local most = tonumber(args[2])

        function delay()
            return math.random(most)
        end
    end
end


function request()
    at = at % #requests + 1

    return requests[at]
end


function done(summary, latency)
    local e = summary.errors

    print('answered', summary.requests,
          e.connect + e.read + e.write + e.status + e.timeout,
          math.floor(latency:percentile(50)),
          math.floor(latency:percentile(99)))
end
