
# Copyright (C) the ngx_miqps authors
#
# Reads the TAP of one test, prints "PASSED FAILED SKIPPED WHY".  "rc" is the
# exit status of the test.  A test that does not speak TAP may end with a line
# "N passed, M failed[, K skipped]" instead.

BEGIN {
    passed = failed = skipped = planned = plans = all = bail = 0
}

/^1\.\.0 *#/ {
    plans++
    all++
    next
}

/^1\.\.[0-9]+/ {
    plans++
    planned += substr($1, 4)
    next
}

# older releases of cmocka write "not ok # SKIP"

/^(not )?ok/ && /# *[Ss][Kk][Ii][Pp]/ {
    skipped++
    next
}

/^ok/ {
    passed++
    next
}

/^not ok/ {
    failed++
    next
}

/^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ {
    own_passed = $1
    own_failed = $3
    own_skipped = $5 + 0
    own = NR
}

/^Bail out!/ {
    bail = 1
}

END {
    if (plans == 0 && own && own == NR) {
        passed = own_passed
        failed = own_failed
        skipped = own_skipped
        planned = passed + failed + skipped
        plans = 1
    }

    seen = passed + failed + skipped
    extra = 1

    if (bail) {
        why = "it bailed out"

    } else if (rc == 124 || rc == 137) {
        why = "it was stopped, since it took too long"

    } else if (plans == 0) {
        why = "it printed no plan and ended with status " rc

    } else if (seen != planned) {
        why = planned " results were planned, " seen " came, status " rc

    } else if (seen + all == 0) {
        why = "it tested nothing"

    } else if (rc != 0 && failed == 0) {
        why = "it ended with status " rc

    } else {
        extra = 0
    }

    print passed, failed + extra, skipped + all, why
}
