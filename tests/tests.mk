
# Copyright (C) the ngx_miqps authors
#
# The targets that test and measure.  Files are found by their place:
#
#   tests/unit/*.c tests/property/*.c    programs, one a file
#   tests/fuzz/*.c                       libFuzzer targets, one a file
#   tests/bench/bench_*.c                one program, bench_core
#   tests/bench/hostile*.c               what tests/bench/linear counts
#   tests/bench/map_*.c                  map source, and look-ups in an image
#   tests/bench/url_source.c             lists of URLs
#   tests/support/zone_load.c            a client of tests/e2e/zone.sh
#   tests/support/short_write.c          preloaded by tests/e2e/publish_faults.py
#   tests/support/clock_step.c           preloaded by tests/e2e/watch.sh
#   tests/sites/*.c                      one program, sites that nobody runs
#   tests/SUITE/*.sh tests/SUITE/run     scripts
#   t/*.t                                Test::Nginx, run by tests/nginx/t
#
# Programs and scripts print TAP; tests/run counts.  B is where objects go, so
# that each way of compiling has a tree of its own: build/cov, and build/asan,
# which is clang's, for fuzzing too, so that all is compiled by two compilers.


JOBS := $(or $(shell nproc 2>/dev/null),2)

UNIT_SRCS := $(wildcard tests/unit/*.c)
UNIT_PROGS = $(UNIT_SRCS:%.c=$(B)/%)

PROPERTY_SRCS := $(wildcard tests/property/*.c)
PROPERTY_PROGS = $(PROPERTY_SRCS:%.c=$(B)/%)

FUZZ_SRCS := $(wildcard tests/fuzz/*.c)
FUZZ_PROGS = $(FUZZ_SRCS:%.c=$(B)/%)

BENCH_SRCS := $(wildcard tests/bench/bench_*.c)
BENCH_PROGS = $(B)/tests/bench/bench_core $(B)/tests/bench/hostile \
	$(B)/tests/bench/hostile_html \
	$(B)/tests/bench/map_source $(B)/tests/bench/map_lookup \
	$(B)/tests/bench/map_paths \
	$(B)/tests/bench/url_source $(B)/tests/sites/generate
BENCH_LIBS = $$(for lib in liburiparser libcurl; do \
	pkg-config --libs $$lib 2>/dev/null; done)

SANITIZE = -O1 -gline-tables-only -fno-omit-frame-pointer \
	-fno-sanitize-recover=all

ASAN = B=build/asan CC=clang CFLAGS='$(SANITIZE) \
	-fsanitize=fuzzer-no-link,address,undefined'
COV = B=build/cov CFLAGS='-O0 -g --coverage'

SUBMAKE = +@$(MAKE) --no-print-directory

SUITES = lint unit cases property cli parsers t examples e2e


$(B)/tests/fuzz/%: tests/fuzz/%.c $(LIBS)
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -MF $@.d $(LDFLAGS) -fsanitize=fuzzer -o $@ $< \
		$(LIBS) $(PKG_LIBS)

$(B)/tests/%: tests/%.c $(LIBS)
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< \
		$(LIBS) $$(pkg-config --libs cmocka) $(PKG_LIBS)

$(B)/tests/bench/bench_core: $(BENCH_SRCS) tests/bench/bench.h $(LIBS)
	@mkdir -p $(@D)
	$(COMPILE) $(LDFLAGS) -o $@ $(BENCH_SRCS) $(LIBS) $(BENCH_LIBS) \
		$(PKG_LIBS)

$(B)/tests/bench/map_%: tests/bench/map_%.c tests/bench/map_names.h $(LIBS)
	@mkdir -p $(@D)
	$(COMPILE) $(LDFLAGS) -o $@ $< $(LIBS) $(PKG_LIBS)

$(B)/tests/bench/url_source: tests/bench/url_source.c
	@mkdir -p $(@D)
	$(COMPILE) $(LDFLAGS) -o $@ $<

$(B)/tests/sites/generate: $(wildcard tests/sites/*.[ch]) tests/support/dice.h
	@mkdir -p $(@D)
	$(COMPILE) $(LDFLAGS) -o $@ $(filter %.c,$^) -lm

$(B)/tests/support/%.so: tests/support/%.c
	@mkdir -p $(@D)
	$(COMPILE) -fPIC -shared $(LDFLAGS) -o $@ $< -ldl

$(B)/tests/bench/hostile $(B)/tests/bench/hostile_html: \
		$(B)/tests/bench/%: tests/bench/%.c $(LIBS)
	@mkdir -p $(@D)
	$(COMPILE) $(LDFLAGS) -o $@ $< $(LIBS) $(PKG_LIBS)

# for checkers that compile by themselves

flags:
	@echo $(FLAGS)

warnings:
	@echo $(WARNINGS)

# nginx's headers are the system's: what they warn of is not ours to mend

module-flags: $(B)/module/Makefile
	@echo -std=gnu11 $$(sed -n '/^ALL_INCS/,/^$$/s/.*-I \([^ ]*\).*/\1/p' $< | \
		sed -e 's,^$(CURDIR)/src,-I&,;t' -e 's,^/,-isystem &,;t' \
		    -e 's,^,-isystem $(NGINX_SRC)/,')

tests-build: $(B)/miqps $(UNIT_PROGS) $(PROPERTY_PROGS) \
		$(B)/tests/bench/hostile $(B)/tests/bench/hostile_html \
		$(B)/tests/support/zone_load $(B)/tests/support/short_write.so \
		$(B)/tests/support/clock_step.so \
		$(B)/tests/sites/generate

asan-build: $(B)/miqps
	$(SUBMAKE) $(ASAN) asan-programs
	@tests/fuzz/seeds build/asan

asan-programs: $(B)/miqps $(UNIT_PROGS) $(FUZZ_PROGS) \
		$(B)/tests/sites/generate

bench-programs: $(BENCH_PROGS)


check:
	@$(DEPS) check
	@tests/run build $(SUITES) sanitize fuzz

check-all:
	@$(DEPS) all
	@TEST_LEVEL=all tests/run build $(SUITES) sanitize fuzz

$(SUITES) sanitize:
	@$(DEPS) check
	@tests/run build $@

fuzz:
	@$(DEPS) fuzz
	@TEST_LEVEL=fuzz tests/run build property fuzz

coverage:
	@$(DEPS) check
	$(SUBMAKE) -j$(JOBS) $(COV) tests-build
	@tests/coverage

bench:
	@$(DEPS) bench
	$(SUBMAKE) -j$(JOBS) build/miqps module bench-programs
	@CC='$(CC)' CFLAGS='$(CFLAGS)' tests/bench/run

.PHONY: check check-all fuzz coverage bench $(SUITES) sanitize
.PHONY: flags warnings module-flags tests-build asan-build asan-programs bench-programs

-include $(UNIT_PROGS:=.d) $(PROPERTY_PROGS:=.d) $(FUZZ_PROGS:=.d)
