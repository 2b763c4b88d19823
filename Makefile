# Every task of the project. `make help` lists them.
#
# FLAVOUR chooses how things are built, each in a directory of its own under build/:
#   release (make), asan (make test), quick (make quick), posix (make test FLAVOUR=posix), tsan (make tsan),
#   fuzz (make fuzz). clang builds in a directory of its own.

CC       ?= cc
FLAVOUR  ?= release
CLANG    := $(findstring clang,$(notdir $(firstword $(CC))))
B        := build/$(FLAVOUR)$(CLANG:%=-%)
PREFIX   ?= /usr/local
VERSION  := 0.1.0
# Outside store/platform nothing is used that only GNU or Linux has: FLAVOUR=posix does not declare it.
STANDARD := $(if $(filter posix,$(FLAVOUR)),-D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -Werror=implicit-function-declaration,-D_GNU_SOURCE)

PKGS     := ncursesw sqlite3 libcjson yaml-0.1 nettle libutf8proc libmicrohttpd libpcre2-8 libzstd
WARN     := -Wall -Wextra -Wpedantic -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes
CPPFLAGS += $(STANDARD) -DSTEMMA_VERSION='"$(VERSION)"' -include model/base/banned.h -I. -I$(B)
# The release is hardened; tests/test_hardened.py reads that from what these flags make. LTO= links in a second, not 40.
ifeq ($(FLAVOUR),release)
FORTIFY := $(shell $(CC) -O2 -D_FORTIFY_SOURCE=3 -include string.h -dM -E -x c /dev/null | sed -n 's/^.define __USE_FORTIFY_LEVEL //p')
X86_64  := $(findstring x86_64,$(shell $(CC) -dumpmachine))
LTO     := $(if $(CLANG),,-flto=auto)
AR      := $(if $(LTO),gcc-ar,ar)
CFLAGS_release  := -O2 -g $(LTO) -fPIE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$(FORTIFY) -fstack-protector-strong \
	-fstack-clash-protection $(X86_64:%=-fcf-protection)
LDFLAGS_release := -pie -Wl,-z,relro,-z,now,-z,noexecstack $(X86_64:%=-Wl,-z,ibt,-z,shstk)
endif
# What is undefined traps, and ASan prints the trace of that: with UBSan's words for each place a start of the program
# took 36 ms, not 21, a build an eighth more. Those words: make clean test
# CFLAGS=-fno-sanitize-undefined-trap-on-error.
CFLAGS_asan    := -O1 -g1 -fPIC -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fsanitize-undefined-trap-on-error
# Builds in half a minute: for the tests of a room while it is changed.
CFLAGS_quick   := -O0 -g1 -fPIC
CFLAGS_posix   := -O1 -g1 -fPIC
CFLAGS_tsan    := -O1 -g -fPIC -fsanitize=thread
CFLAGS_fuzz    := -O1 -g -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined
PKG_CFLAGS := $(filter-out -D_XOPEN_SOURCE=% -D_DEFAULT_SOURCE,$(shell pkg-config --cflags $(PKGS) 2>/dev/null))
# libmicrohttpd is loaded when HTTP is first spoken (store/mcp/http/http.c).
PKG_LIBS   := $(shell pkg-config --libs $(filter-out libmicrohttpd,$(PKGS)) 2>/dev/null)
# An agent's client starts the program for each session, and loading eight libraries is half of a start: the release has
# inside it each one that there is a static form of (ncurses, SQLite, …). STATIC= makes it use the shared ones.
ifeq ($(FLAVOUR),release)
STATIC   := yes
PKG_LIBS := $(foreach l,$(PKG_LIBS),$(or $(if $(STATIC),$(filter /%,$(shell $(CC) -print-file-name=$(l:-l%=lib%.a)))),$l))
endif
ALL_CFLAGS := -std=c11 $(WARN) -ffp-contract=off -pthread $(CFLAGS_$(FLAVOUR)) $(PKG_CFLAGS) $(CFLAGS)
# ASan's descriptions of globals are 50,000 relocations in what is started thousands of times: placed once, a start is
# 5 ms of 22 less.
LDFLAGS_asan := -no-pie
LIBS       := $(PKG_LIBS) -lm -ldl -pthread
# What builds a whole flavour builds it on every processor, unless -j was given.
JOBS        = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))
# V=1 shows the commands themselves.
Q          := $(if $(V),,@)

# store/platform has a file for each kind of system; FLAVOUR=posix is what a port to another system begins with.
SYSTEM := $(if $(filter posix,$(FLAVOUR)),posix,linux)
SRCS  := $(sort $(filter-out $(filter-out %_$(SYSTEM).c,$(wildcard store/platform/platform_*.c)),$(shell find model store tui -name '*.c')))
OBJS  := $(SRCS:%.c=$(B)/%.o)
LIB   := $(B)/libstemma.a
LIBOBJS := $(filter-out $(B)/tui/main.o,$(OBJS)) $(B)/embedded.o
TESTS := $(sort $(patsubst tests/%.c,$(B)/tests/%,$(shell find tests -name 'test_*.c')))
# Test programs by name, wherever their room is.
named  = $(foreach t,$(1),$(or $(filter %/test_$t,$(TESTS)),$(error there is no test_$t)))
# Those in which threads work at the same time.
THREADED := $(call named,writer batch one_file loaded interrupt bulk feed \
	operations_at_once two_processes entry_swept import_watch loop flood calls \
	subscriptions ending stdio socket scenes under_load worker chain_live callers http_port \
	config_change other_store replicas transport)
TEST_SCRIPTS := $(sort $(shell find tests -name 'test_*.py'))
named_script = $(foreach t,$(1),$(or $(filter %/test_$t.py,$(TEST_SCRIPTS)),$(error there is no test_$t.py)))
# A file that a test plays is a test of its own, PROGRAM:FILE; so is each function of the test of clients, and each part
# of the test of columns.
CLIENTS := tests/store/mcp/server/test_clients.py
PLAYED := $(addprefix tests/cli/test_columns.py:,together json broken) \
	$(addprefix tests/store/mcp/tools/test_answer_bytes.py:,long short shapes) \
	$(addprefix $(CLIENTS):,$(shell sed -n 's/^def drive_\([a-z]*\).*/\1/p' $(CLIENTS))) \
	$(addprefix tests/cli/test_transcripts.py:,$(wildcard tests/cli/*.t)) \
	$(addprefix tests/store/mcp/test_transcripts.py:,$(wildcard tests/store/mcp/transcripts/*.t)) \
	$(addprefix $(B)/tests/tui/test_scenes:,$(wildcard tests/tui/*.t))
program = $(firstword $(subst :, ,$(1)))
PLAYERS := $(sort $(foreach t,$(PLAYED),$(call program,$t)))
# Those that take longest begin first, so that none of them runs alone at the end.
LONGEST := $(call named_script,demo_live conformance drawing http packages claude) $(call named,fsck call_log mask past \
	replicas out_of_memory past_views tools acting_terminal layout keys import_interrupt actions reasoning_tools pty \
	op_faults ordering graph_view)
TEST_SUPPORT := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/support/*.c)))
# What the tests are linked with. With sanitizers the project is 30 MB in each program and most of the time that linking
# takes, so there they share a library.
SHARED := $(if $(filter asan tsan quick posix,$(FLAVOUR)),$(B)/libtested.so)
SHARING := $(if $(SHARED),$(TESTS))
DRAW  := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/draw/*.c)))
BENCHES := $(B)/tests/bench/bench
FUZZERS := $(sort $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_SECONDS ?= 60
# Compiled in as the defaults: the configuration, the themes, the demo.
EMBED := config.yaml docs/tutorial.txt $(sort $(wildcard themes/*.yaml)) tui/demo/story.jsonl tui/demo/scenes.json

.PHONY: all help demo deps deps-test test quick quick-build check layers tsan tsan-run bench fuzz fuzz-run screenshots screenshots-run format lint install clean libraries
all: stemma tests/graph-draw

libraries:
	@pkg-config --exists $(PKGS) || { echo "Libraries are missing: run make deps." >&2; exit 1; }

# What was built last stands here, whatever it was built with.
.PHONY: stemma tests/graph-draw
stemma: $(B)/stemma
	@cmp -s $< $@ || cp -f $< $@
tests/graph-draw: $(B)/tests/graph-draw
	@cmp -s $< $@ || cp -f $< $@

$(B)/stemma $(B)/tests/graph-draw: LDFLAGS += $(LDFLAGS_$(FLAVOUR))
$(B)/stemma: $(B)/tui/main.o $(LIB)
	@echo '  LD   $@'
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(LIB): $(LIBOBJS)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(B)/%.o: %.c Makefile | libraries
	@mkdir -p $(@D)
	@echo '  CC   $<'
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<



# The tests run on Linux. What is called back there may use less than it is given. The compiler takes half the time
# without optimisation; those of model compute, so they have it.
$(B)/tests/%.o: STANDARD := -D_GNU_SOURCE -Wno-unused-parameter
$(B)/tests/store/%.o $(B)/tests/tui/%.o $(B)/tests/support/%.o: ALL_CFLAGS := $(ALL_CFLAGS:-O1=-O0)

$(B)/embedded.c: $(EMBED) Makefile tui/config/embed
	@mkdir -p $(@D)
	@./tui/config/embed $(EMBED) > $@.tmp && mv $@.tmp $@
$(B)/embedded.o: $(B)/embedded.c
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(TESTS): $(B)/tests/main.o
$(B)/tests/%: $(B)/tests/%.o $(TEST_SUPPORT) $(LIB)
	@mkdir -p $(@D)
	@echo '  LD   $@'
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(TEST_LIBS)
$(SHARED): $(LIBOBJS) $(TEST_SUPPORT)
	@echo '  LD   $@'
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -o $@ $^ $(LIBS) -lcmocka -lvterm -lutil
# The library may change under them: what a test calls stands in headers, and with those it is built again.
$(SHARING): $(B)/tests/%: $(B)/tests/%.o | $(SHARED)
	@echo '  LD   $@'
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -Wl,-rpath,'$(CURDIR)/$(B)' -o $@ $^ $(SHARED) $(LIBS) $(TEST_LIBS)
# Draws a graph that it reads, for tests of the drawing.
$(B)/tests/graph-draw: $(DRAW) $(LIB)
	@mkdir -p $(@D)
	@echo '  LD   $@'
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
$(BENCHES): $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/bench/*.c)) $(addprefix tests/support/,families.c random.c \
	postgres.c schedule.c scratch.c)) $(LIB)
	@mkdir -p $(@D)
	@echo '  LD   $@'
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(LIBS) -lcmocka
$(B)/tests/model/% $(B)/tests/store/% $(B)/tests/tui/%: TEST_LIBS = -lcmocka -lvterm -lutil
$(B)/tests/fuzz/%: TEST_LIBS = -fsanitize=fuzzer -lcmocka -lvterm -lutil
.PRECIOUS: $(B)/%.o

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

deps: ## install what building and running needs (Debian; elsewhere it names it)
	@./tests/deps build

deps-test: ## install what the tests need as well
	@./tests/deps test

demo: deps ## install what is missing, build, and open the explorer on the demo store
	@$(MAKE) --no-print-directory $(JOBS) stemma
	@./stemma demo

test: deps-test ## install what the tests need, build with ASan and UBSan, run everything (T=ROOM: that room; FLAVOUR=posix: without what only Linux has)
	@$(MAKE) --no-print-directory $(JOBS) check FLAVOUR=$(if $(filter posix,$(FLAVOUR)),posix T="$(or $(T),store tui)",asan)

quick: ## the tests of the rooms T (T=store/lineage; none: all) without sanitizers, from an -O0 build
	@$(MAKE) --no-print-directory $(JOBS) check FLAVOUR=quick

# Everything that is tested, built and not run.
quick-build: $(B)/stemma $(B)/tests/graph-draw $(B)/tests/store/mcp/server/conformance_server $(TESTS) $(BENCHES)

# T chooses tests whose path holds one of its words; each word must be in some path.
CHECKED = $(LONGEST) $(PLAYED) $(filter-out $(LONGEST) $(PLAYERS),$(TEST_SCRIPTS) $(TESTS))
UNKNOWN = $(strip $(foreach w,$(T),$(if $(strip $(foreach t,$(CHECKED),$(findstring $(w),$(t)))),,$(w))))
CHOSEN  = $(if $(T),$(if $(UNKNOWN),$(error no test has $(firstword $(UNKNOWN)) in its path),$(foreach t,$(CHECKED),$(if $(strip $(foreach w,$(T),$(findstring $(w),$(t)))),$(t)))),$(CHECKED))
check: $(B)/stemma $(B)/tests/graph-draw $(B)/tests/store/mcp/server/conformance_server $(filter $(TESTS),$(foreach t,$(CHOSEN),$(call program,$t)))
	@STEMMA=$(CURDIR)/$(B)/stemma CONFORMANCE_SERVER=$(CURDIR)/$(B)/tests/store/mcp/server/conformance_server GRAPH_DRAW=$(CURDIR)/$(B)/tests/graph-draw ./tests/run $(CHOSEN)

tsan: deps-test ## run the tests in which threads work at the same time with ThreadSanitizer
	@$(MAKE) --no-print-directory $(JOBS) FLAVOUR=tsan tsan-run
# What it finds in the programs that a test starts stands in a file too.
tsan-run: $(B)/stemma $(THREADED)
	@rm -f $(B)/race.*
	@STEMMA=$(CURDIR)/$(B)/stemma TSAN_OPTIONS=log_path=$(CURDIR)/$(B)/race ./tests/run $(filter-out $(PLAYERS),$(THREADED)) \
		$(filter %/live.t %/changes.t %/calls.t %tui/team.t,$(PLAYED)) $(call named_script,http machines)
	@! cat $(B)/race.* 2>/dev/null

bench: deps-test ## print every bar of the design next to what is measured (release build)
	@$(MAKE) --no-print-directory $(JOBS) FLAVOUR=release stemma bench-run
.PHONY: bench-run
bench-run: $(B)/stemma $(BENCHES)
	@STEMMA=$(CURDIR)/$(B)/stemma ./tests/bench/run $(B)/tests/bench

fuzz: ## run a fuzzer on each parser, FUZZ_SECONDS (60) each; needs clang and its runtime
	@./tests/deps fuzz
	@$(MAKE) --no-print-directory $(JOBS) FLAVOUR=fuzz CC=clang fuzz-run
fuzz-run: $(FUZZERS)
	@for f in $(FUZZERS); do echo "$$f"; mkdir -p $$f.corpus; \
	    $$f -max_total_time=$(FUZZ_SECONDS) -max_len=8192 -artifact_prefix=$$f. $$f.corpus \
	        tests/fuzz/seeds >$$f.log 2>&1 || { tail -40 $$f.log; exit 1; }; tail -1 $$f.log; done

screenshots: ## draw the pictures of README.md and docs/ anew (tests/tui/test_screenshots.c lists them)
	@./tests/deps screenshots
	@$(MAKE) --no-print-directory $(JOBS) FLAVOUR=quick screenshots-run
screenshots-run: $(call named,screenshots)
	@GENERATE=1 ./tests/run $<

format: ## apply .clang-format
	clang-format -i $$(git ls-files -co --exclude-standard '*.c' '*.h')

layers: ## what breaks the table tests/layers
	@./tests/test_layers.py --report

lint: ## clang-format, cppcheck and clang-tidy as they must pass
	@./tests/lint

# PROGRAM is what is installed or packaged instead of the release that is built here.
SHARE = $(DESTDIR)$(PREFIX)/share
install: $(or $(PROGRAM),stemma) ## install under PREFIX (default /usr/local), with manual pages and completion; DESTDIR is honoured
	install -D -m 755 "$<" "$(DESTDIR)$(PREFIX)/bin/stemma"
	install -D -m 644 config.yaml "$(SHARE)/stemma/config.yaml"
	install -D -m 644 LICENSE "$(SHARE)/doc/stemma/LICENSE"
	@for f in docs/man/stemma.1:man/man1/ docs/man/stemma-config.5:man/man5/ docs/man/stemma-tutorial.7:man/man7/ \
	    completions/stemma:bash-completion/completions/ completions/_stemma:zsh/site-functions/ \
	    completions/stemma.fish:fish/vendor_completions.d/; do \
	    echo "  $(SHARE)/$${f#*:}"; install -D -m 644 -t "$(SHARE)/$${f#*:}" "$${f%%:*}" || exit 1; done

# Packages stand in build/package. That of Debian uses the shared libraries, as its policy asks; the others have them inside.
REPOSITORY ?= https://github.com/OWNER/stemma
PACKAGE = @VERSION=$(VERSION) REPOSITORY=$(REPOSITORY) ./packaging/build $@ "$(or $(PROGRAM),$1)"
.PHONY: deb mcpb npm
deb: ## build a Debian package
	@./tests/deps package
	$(if $(PROGRAM),,@$(MAKE) --no-print-directory $(JOBS) FLAVOUR=release STATIC= B=build/deb build/deb/stemma)
	$(call PACKAGE,build/deb/stemma)

mcpb: ## build an MCPB bundle, which clients install by a click, and server.json for the registry of MCP servers
	$(if $(PROGRAM),,@$(MAKE) --no-print-directory $(JOBS) FLAVOUR=release stemma)
	$(call PACKAGE,stemma)

npm: ## build the npm packages: the wrapper, and the program for this platform
	$(if $(PROGRAM),,@$(MAKE) --no-print-directory $(JOBS) FLAVOUR=release stemma)
	$(call PACKAGE,stemma)

clean: ## remove what was built
	rm -rf build stemma tests/graph-draw

-include $(shell find $(B) -name '*.d' 2>/dev/null)
