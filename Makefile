
# Copyright (C) the ngx_miqps authors
#
#   make             build/miqps
#   make deps        installs what is needed (Debian 12, 13; root or sudo)
#   make demo        builds, and shows on a little shop what it does
#   make check       builds, and runs the tests; under ten minutes
#   make check-all   the tests with more of everything, and more back ends
#   make fuzz        the long runs: properties, libFuzzer
#   make bench       time and instructions beside other libraries
#   make coverage    lines and branches that the tests reach
#   make lint unit cases property cli parsers
#                    one suite of the tests
#   make install     prefix=/usr/local DESTDIR=
#   make clean
#
# demo, check and the other targets that run something install first what is
# missing; "DEPS=:" keeps them from it.


CFLAGS ?= -O2 -g

prefix = /usr/local
bindir = $(prefix)/bin
mandir = $(prefix)/share/man
bashdir = $(prefix)/share/bash-completion/completions

B = build
INSTALL = install
DEPS = tests/deps

WARNINGS = -Wall -Wextra -Wpedantic

# asked of pkg-config once, and not before something is compiled: on a fresh
# machine there is no pkg-config while this file is read

PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags \
	libpcre2-8 libcjson libxxhash))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $$(shell pkg-config --libs \
	libpcre2-8 libcjson))$(PKG_LIBS)

FLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L \
	-Isrc/core -Isrc/rules -Ilearner -I$(B)/gen $(PKG_CFLAGS)

COMPILE = $(CC) $(FLAGS) $(WARNINGS) $(CPPFLAGS) $(CFLAGS)


CORE_SRCS := $(wildcard src/core/*.c)
RULES_SRCS := $(wildcard src/rules/*.c)
LEARN_SRCS := $(wildcard learner/*.c learner/*/*.c)

CORE_OBJS = $(CORE_SRCS:src/%.c=$(B)/%.o)
RULES_OBJS = $(RULES_SRCS:src/%.c=$(B)/%.o)
LEARN_OBJS = $(LEARN_SRCS:%.c=$(B)/%.o)

# all but main(), in the order in which they use each other

LIBS = $(B)/libmiqps_learn.a $(B)/libmiqps_rules.a $(B)/libmiqps_core.a


all: $(B)/miqps

$(B)/miqps: $(B)/learner/miqps.o $(LIBS)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(B)/libmiqps_core.a: $(CORE_OBJS)
$(B)/libmiqps_rules.a: $(RULES_OBJS)
$(B)/libmiqps_learn.a: $(filter-out $(B)/learner/miqps.o,$(LEARN_OBJS))

$(B)/%.a:
	@mkdir -p $(@D) && rm -f $@
	$(AR) rcs $@ $^

$(B)/%.o: src/%.c | $(B)/.deps
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<

$(B)/learner/%.o: learner/%.c | $(B)/.deps
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<

$(RULES_OBJS): | $(B)/gen/miqps_builtin_rules.h

$(B)/gen/miqps_builtin_rules.h: src/rules/builtin.json src/rules/embed.sh
	@mkdir -p $(@D)
	sh src/rules/embed.sh $< > $@.new
	@mv $@.new $@

$(B)/.deps:
	@tests/deps --missing build
	@mkdir -p $(@D) && touch $@


deps:
	tests/deps $(or $(LEVEL),check bench fuzz)

demo:
	@$(DEPS) build
	@$(MAKE) --no-print-directory -s $(B)/miqps
	@tests/demo/run

install: $(B)/miqps
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1 \
		$(DESTDIR)$(mandir)/man5 $(DESTDIR)$(bashdir)
	$(INSTALL) -m 755 $(B)/miqps $(DESTDIR)$(bindir)
	$(INSTALL) -m 644 learner/man/*.1 $(DESTDIR)$(mandir)/man1
	$(INSTALL) -m 644 learner/man/*.5 $(DESTDIR)$(mandir)/man5
	$(INSTALL) -m 644 learner/completion/miqps.bash \
		$(DESTDIR)$(bashdir)/miqps

clean:
	rm -rf build

.PHONY: all deps demo install clean
.DELETE_ON_ERROR:

include tests/tests.mk

-include $(CORE_OBJS:.o=.d) $(RULES_OBJS:.o=.d) $(LEARN_OBJS:.o=.d)
