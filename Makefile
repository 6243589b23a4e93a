
# Copyright (C) the ngx_miqps authors
#
#   make             build/miqps, build/ngx_http_miqps_module.so
#   make module      the nginx module alone
#   make deps        installs what is needed (Debian 12, 13; root or sudo)
#   make demo        builds, and shows on a little shop what it does
#   make demo-stop   ends the nginx that it left running
#   make check       builds, and runs the tests; under ten minutes
#   make check-all   the tests with more of everything, and more back ends
#   make fuzz        the long runs: properties, libFuzzer
#   make bench       time and instructions beside other libraries
#   make coverage    lines and branches that the tests reach
#   make lint unit cases property cli parsers t examples e2e
#                    one suite of the tests
#   make install     prefix=/usr/local DESTDIR= moduledir=(nginx's own)
#   make clean
#
# demo, check and the other targets that run something install first what is
# missing; "DEPS=:" keeps them from it.
#
# The module is built for the nginx of the distribution, with what its package
# nginx-dev brings.  NGINX_SRC is the source of another nginx, and NGINX_FLAGS
# are the options that it was configured with.


CFLAGS ?= -O2 -g

prefix = /usr/local
bindir = $(prefix)/bin
mandir = $(prefix)/share/man
bashdir = $(prefix)/share/bash-completion/completions

# where that nginx looks for modules, whatever the prefix of the rest is

moduledir = $(or $(shell sed -n 's/.*--modules-path=\([^ ]*\).*/\1/p' \
	$(NGINX_SRC)/conf_flags 2>/dev/null),/usr/lib/nginx/modules)

NGINX_SRC = /usr/share/nginx/src
NGINX_FLAGS =

B = build
INSTALL = install
DEPS = tests/deps

# WERROR=-Werror makes them errors, as it is in tests

WERROR =
WARNINGS = -Wall -Wextra -Wpedantic -Wdeclaration-after-statement \
	-Wmissing-prototypes -Wold-style-definition -Wpointer-arith -Wshadow \
	-Wstrict-prototypes -Wundef -Wvla -Wwrite-strings $(WERROR)

PKGS = expat gumbo libcjson libcurl libidn2 libpcre2-8 libpsl liburiparser \
	libpng sqlite3 zlib

# asked of pkg-config once, and not before something is compiled: on a fresh
# machine there is no pkg-config while this file is read

PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags \
	$(PKGS) libxxhash))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $$(shell pkg-config --libs \
	$(PKGS)) -lm)$(PKG_LIBS)

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


MODULE = $(B)/ngx_http_miqps_module.so
MODULE_SRCS := $(sort $(wildcard src/*.[ch] src/core/*.[ch] src/rules/*.[ch]))


all: $(B)/miqps $(MODULE)

module: $(MODULE)

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

$(B)/.deps: tests/deps
	@tests/deps --missing build
	@mkdir -p $(@D) && touch $@


# The module: nginx's own makefile compiles it, in a folder of ours.  Configured
# again when config, the built-in rules, the names of the files, the compiler,
# its flags or nginx have changed; of nginx the contents count, since packages
# come with old dates.

OBJS = $(abspath $(B)/module)
MODULE_LOG = $(B)/module.log

configuration = echo '$(NGINX_SRC) $(NGINX_FLAGS) $(CC) $(CFLAGS) $(LDFLAGS)' \
	'$(MODULE_SRCS)'; \
	cd $(NGINX_SRC) && \
	cat conf_flags src/core/nginx.h src/core/ngx_module.h 2>/dev/null | cksum

# nginx's makefile has variables named like ours and must not inherit them

logged = > $(MODULE_LOG) 2>&1 || { \
	echo "$(MODULE) was not built; the end of $(MODULE_LOG):" >&2; \
	grep -v '^checking for' $(MODULE_LOG) | tail -n 30 >&2; exit 1; }

$(MODULE): $(B)/module/Makefile $(MODULE_SRCS)
	@echo "building $@"
	@MAKEFLAGS= MAKELEVEL= $(MAKE) -s -j$(JOBS) -C $(NGINX_SRC) \
		-f $(OBJS)/Makefile modules $(logged)
	@! nm -D -u $(OBJS)/$(@F) | grep 'miqps_' || { \
		echo "$@ calls what is nowhere defined" >&2; exit 1; }
	@cp $(OBJS)/$(@F) $@.new && mv $@.new $@

$(B)/module/Makefile: SHELL = /bin/bash
$(B)/module/Makefile: config src/rules/builtin.json src/rules/embed.sh \
		$(B)/module.conf | $(B)/.deps
	@rm -rf $(OBJS) && mkdir -p $(OBJS)
	@(NGX_CONF_FLAGS=(--with-compat); cd $(NGINX_SRC) && \
		{ [ ! -e conf_flags ] || . ./conf_flags; } && \
		./configure "$${NGX_CONF_FLAGS[@]}" $(NGINX_FLAGS) \
			--with-cc='$(CC)' --with-cc-opt='$(CFLAGS) -fPIC' \
			--with-ld-opt='$(LDFLAGS) -fPIC' --builddir=$(OBJS) \
			--add-dynamic-module=$(CURDIR)) $(logged)

$(B)/module.conf: ALWAYS | $(B)/.deps
	@($(configuration)) > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@


deps:
	tests/deps $(or $(LEVEL),check bench fuzz)

demo:
	@$(DEPS) build
	@$(MAKE) --no-print-directory -s $(B)/miqps $(MODULE)
	@tests/demo/run

demo-stop:
	@tests/demo/run --stop

# a module that a running nginx has mapped is replaced, never written to

install: $(B)/miqps $(MODULE)
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1 \
		$(DESTDIR)$(mandir)/man5 $(DESTDIR)$(bashdir) \
		$(DESTDIR)$(moduledir)
	$(INSTALL) -m 755 $(B)/miqps $(DESTDIR)$(bindir)
	$(INSTALL) -m 644 learner/man/*.1 $(DESTDIR)$(mandir)/man1
	$(INSTALL) -m 644 learner/man/*.5 $(DESTDIR)$(mandir)/man5
	$(INSTALL) -m 644 learner/completion/miqps.bash \
		$(DESTDIR)$(bashdir)/miqps
	$(INSTALL) -m 644 $(MODULE) $(DESTDIR)$(moduledir)/$(notdir $(MODULE)).new
	mv -f $(DESTDIR)$(moduledir)/$(notdir $(MODULE)).new \
		$(DESTDIR)$(moduledir)/$(notdir $(MODULE))

clean:
	@tests/demo/run --stop
	rm -rf build

ALWAYS:

.PHONY: all module deps demo demo-stop install clean ALWAYS
.DELETE_ON_ERROR:

include tests/tests.mk

-include $(CORE_OBJS:.o=.d) $(RULES_OBJS:.o=.d) $(LEARN_OBJS:.o=.d)
