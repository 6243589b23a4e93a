# Copyright (C) the ngx_miqps authors
#
# The figures of tests/bench/visual, which starts the site:
#
#     tests/bench/visual.py FOLDER

import resource
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import report    # noqa: E402


FAST = 5            # pages a second


def main(tmp):
    start = time.monotonic()
    subprocess.run(['build/miqps', 'learn', '--quiet', '--rate', '0',
                    '--store', 'sqlite:%s/store.db' % tmp,
                    '--via', 'unix:%s/quiet.learn' % tmp,
                    '--algorithm', 'paper', '--content-id', 'visual',
                    '--patterns', '4', '--samples', '5', 'shop.example'],
                   check=True)
    seconds = time.monotonic() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)

    with open(tmp + '/quiet.log', encoding='utf-8') as f:
        pages = sum(' /miqps-' not in line for line in f)

    fast = pages / seconds

    print('\nVisual: %d pages drawn in %.1f s, %.1f a second, %.0f ms of CPU '
          'time of miqps for each'
          % (pages, seconds, fast,
             1000 * (used.ru_utime + used.ru_stime) / pages))
    report.tell('%d pages a second', '%.1f' % fast, FAST, fast >= FAST)
    report.save({'visual': {'pages': pages, 'seconds': seconds}})


if __name__ == '__main__':
    main(sys.argv[1])
