# Sophia. lib/ is one archive; cmd/NAME.c is one program, bin/NAME.
# `make help` lists what there is to make; V=1 shows the commands.

CC	= cc
BUILD	= build
BIN	= bin
PREFIX	= /usr/local
LIBS	= -lyajl -ljq -lsqlite3 -lcurl -lwebsockets -lssl -lcrypto -lz -licuuc -lstemmer -ledit -lgmp -lm
VERSION	= 0.1.0
ENGINE	= docker

STD	= -std=c11 -D_POSIX_C_SOURCE=200809L -DSOPHIA_VERSION='"$(VERSION)"' -Ilib
WARN	= -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
	  -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
	  -Wcast-qual -Wpointer-arith -Wwrite-strings -Wundef -Wformat=2 -Wvla \
	  -Wdouble-promotion -Wimplicit-fallthrough -Wnull-dereference -Werror
BRANCH	= $(if $(filter aarch64,$(shell uname -m)),\
	  -mbranch-protection=standard,-fcf-protection)
OPT	= -O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong \
	  -fstack-clash-protection $(BRANCH) -fPIE -fno-common
LINK	= -pie -Wl,--as-needed,-z,relro,-z,now,-z,noexecstack
SAN	= -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
	  -fno-sanitize-recover=all

SRC	= $(wildcard lib/*/*.c)
HDR	= $(wildcard lib/*/*.h)
MAIN	= $(wildcard cmd/sophia*.c)
CMD	= $(patsubst cmd/%.c,$(BIN)/%,$(MAIN))
UNIT	= $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/*.c))
PEERS	= $(patsubst %,$(BUILD)/peers/%,tormentor peak slowsync.so powerloss.so powercut)
FUZZ	= $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/*.c))
Q	= $(if $(V),,@echo '  $(1) $@';)

RUNNER	= $(BUILD)/runner
all: $(CMD) $(RUNNER)	# build bin/

help:	# what there is to make
	@sed -n 's/^\([a-z-]*\):[^#=]*# \(.*\)/\1\t\2/p' Makefile | expand -t 14

demo:	# build, import the sample archive into a scratch home, ask it
	tests/need build
	$(MAKE) all
	tests/demo $(abspath $(BIN))

readme: all	# put what the demo prints into README.md
	tests/fill-readme $(BIN)

$(BIN)/%: $(BUILD)/cmd/%.o $(BUILD)/libsophia.a
	$(call Q,LD)mkdir -p $(@D) && $(CC) $(OPT) $(LINK) -o $@ $^ $(LIBS)

# What a container starts: no library is there, so it brings all it needs.
$(BUILD)/runner: $(BUILD)/cmd/runner.o $(BUILD)/libsophia.a
	$(call Q,LD)mkdir -p $(@D) && $(CC) -static -Wl,--gc-sections -s -o $@ $^

$(BUILD)/libsophia.a: $(SRC:%.c=$(BUILD)/%.o)
	$(call Q,AR)rm -f $@ && $(AR) qcs $@ $^

$(BUILD)/%.o: %.c
	$(call Q,CC)mkdir -p $(@D) && $(CC) $(STD) $(WARN) $(OPT) -MMD -MP -c -o $@ $<

$(BUILD)/%.h.ok: %.h		# a header must compile alone
	$(call Q,HDR)mkdir -p $(@D) && \
	$(CC) $(STD) $(WARN) -fsyntax-only -x c -include $< /dev/null && touch $@

# Programs that only a benchmark needs.
$(BUILD)/bench/%: tests/bench/%.c $(BUILD)/libsophia.a
	$(call Q,BENCH)mkdir -p $(@D) && \
	$(CC) $(STD) $(WARN) $(OPT) $(LINK) -o $@ $^ $(LIBS)

bench-index: $(BUILD)/bench/chat $(BUILD)/bench/bare

# Unit tests see a library whose clock a test may move, and with the points at
# which one kills the program: core/clock.h, core/crash.h.
TEST	= -DSOPHIA_TEST_CLOCK -DSOPHIA_CRASH
$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/test/libsophia.a
	$(call Q,UNIT)mkdir -p $(@D) && \
	$(CC) $(STD) $(WARN) $(OPT) -Itests/unit $(LINK) -o $@ $^ $(LIBS)

ifneq ($(BUILD),$(BUILD:%/test=%))
else
$(BUILD)/test/libsophia.a: $(SRC) $(HDR)
	$(call Q,TEST)$(MAKE) -s BUILD=$(BUILD)/test OPT='$(OPT) $(TEST)' $@
endif

check:	# all that must pass before a push
	tests/need build check
	$(MAKE) check-now

# Most tests wait for something most of the time.
JOBS	= $(shell expr $$(nproc) + 1)
SUITES	= tests
check-now: all check-headers check-layers unit $(PEERS)
	clang-format --dry-run -Werror $(SRC) $(HDR) $(MAIN) $(wildcard tests/*/*.[ch])
	PATH="$(abspath $(BIN)):$$PATH" SOPHIA_PEERS=$(abspath $(BUILD)/peers) \
	  bats --jobs $(JOBS) --no-parallelize-within-files $(SUITES)

sandbox-image: $(BUILD)/runner	# the image that code is run in, for the container engine
	tests/need build sandbox
	share/sandbox/build --engine $(ENGINE) $(BUILD)/runner

check-peers:	# the fake Discord against discord.js; needs node 18 and npm
	tests/check-peers $(BUILD)

# What the tests put beside, before or beneath a program.
$(BUILD)/peers/%.so: tests/peers/%.c
	$(call Q,PEER)mkdir -p $(@D) && \
	$(CC) $(STD) $(WARN) -O2 -g -fPIC -shared -o $@ $<

$(BUILD)/peers/powercut: $(patsubst %,tests/peers/power%.c,cut disk life) $(BUILD)/libsophia.a
	$(call Q,PEER)mkdir -p $(@D) && $(CC) $(STD) $(WARN) $(OPT) $(LINK) -o $@ $^ $(LIBS)

$(BUILD)/peers/%: tests/peers/%.c
	$(call Q,PEER)mkdir -p $(@D) && $(CC) $(STD) $(WARN) -O2 -g -o $@ $<

check-headers: $(HDR:%=$(BUILD)/%.ok)

check-layers: all
	tests/check-layers
	tests/check-symbols $(BUILD)

unit: $(UNIT)
	tests/run-unit $(BUILD)/unit

san:	# the same tests under ASan, UBSan and LSan: other flags, other folders
	tests/need build check
	$(MAKE) check-now RUNNER= BUILD=build/san BIN=build/san/bin LINK=-Wl,--as-needed OPT='$(SAN)'

san-unit:	# the unit tests alone, under the same
	tests/need build check
	SOPHIA_LEAK_CASES=2000 $(MAKE) unit ASAN_OPTIONS=fast_unwind_on_malloc=1 BUILD=build/san LINK=-Wl,--as-needed OPT='$(SAN)'

lint:	# the other compiler, then three analyzers
	tests/need build lint
	$(MAKE) CC=clang BUILD=build/clang build/clang/libsophia.a
	for f in $(SRC) $(MAIN); do \
	  gcc $(STD) -O2 -fanalyzer -Werror -c -o /dev/null $$f || exit 1; done
	cppcheck --std=c11 --enable=warning,portability,performance \
	  --suppressions-list=tests/cppcheck.supp --error-exitcode=1 --quiet -Ilib lib cmd
	clang-tidy --quiet $(SRC) $(MAIN) -- $(STD)

lint-quick:	# the part of lint that takes a minute
	tests/need build lint
	printf '%s\n' $(SRC) $(MAIN) | xargs -P $$(nproc) -n 40 \
	  clang $(STD) $(WARN) -fsyntax-only
	cppcheck -j $$(nproc) --std=c11 --enable=warning,portability,performance \
	  --suppressions-list=tests/cppcheck.supp --error-exitcode=1 --quiet -Ilib lib cmd

FUZZ_S	= 60
fuzz:	# FUZZ_S seconds for each target
	tests/need build fuzz
	$(MAKE) fuzz-now

fuzz-now: $(FUZZ)
	printf '%s\n' $^ | xargs -P $$(nproc) -n 1 sh -c 'n=$${1##*/}; \
	  mkdir -p $(BUILD)/corpus/$$n; seeds=tests/fuzz/corpus/$$n; \
	  [ -d $$seeds ] || seeds=; \
	  $$1 -max_total_time=$(FUZZ_S) -artifact_prefix=$(BUILD)/fuzz/ \
	    $(BUILD)/corpus/$$n $$seeds || exit 255' sh

$(BUILD)/fuzz/%: tests/fuzz/%.c $(BUILD)/fuzzlib/libsophia.a
	$(call Q,FUZZ)mkdir -p $(@D) && \
	clang $(STD) -g -O1 -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIBS)

ifneq ($(BUILD),$(BUILD:%/fuzzlib=%))
else
$(BUILD)/fuzzlib/libsophia.a: $(SRC) $(HDR)
	$(call Q,FUZZLIB)$(MAKE) -s CC=clang BUILD=$(BUILD)/fuzzlib \
	  OPT='-g -O1 -fsanitize=fuzzer-no-link,address,undefined' $@
endif

# The same programs, of the library of the unit tests.
crash-build:	# what make kill-sweep runs besides bin/
	$(MAKE) all BUILD=$(BUILD)/test BIN=build/crash/bin OPT='$(OPT) $(TEST)'

kill-sweep: all crash-build	# kill a whole Sophia at every instant that matters
	tests/need build check
	/usr/bin/python3 -B tests/kill-sweep $(SWEEP)

TORTURE_S = 1800
torture:	# TORTURE_S seconds of a whole Sophia while everything fails
	tests/need build check
	$(MAKE) all
	PATH="$(abspath $(BIN)):$$PATH" /usr/bin/python3 tests/torture-discord \
	  --seconds $(TORTURE_S) --keep $(abspath $(BUILD))/torture $(TORTURE)

bench:	# every figure that the README quotes; BIG=1 for the largest sizes
	tests/need build check bench
	$(MAKE) $(patsubst tests/bench/%.sh,bench-%,$(wildcard tests/bench/*.sh))

bench-%: tests/bench/%.sh all
	PATH="$(abspath $(BIN)):$$PATH" BENCH=$(abspath $(BUILD))/bench $<

DATA	= $(DESTDIR)$(PREFIX)/share
install: all	# into DESTDIR and PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(DATA)/sophia $(DATA)/man/man1 \
	  $(DATA)/man/man5 $(DATA)/man/man7 $(DATA)/doc/sophia \
	  $(DATA)/bash-completion/completions $(DATA)/zsh/site-functions \
	  $(DATA)/fish/vendor_completions.d
	install $(CMD) $(DESTDIR)$(PREFIX)/bin
	install -d $(DESTDIR)$(PREFIX)/libexec/sophia
	install $(BUILD)/runner $(DESTDIR)$(PREFIX)/libexec/sophia
	cp -R share/prompts share/tools share/models share/schema share/discord share/sandbox share/samples $(DATA)/sophia
	for n in 1 5 7; do install -m 644 man/*.$$n $(DATA)/man/man$$n; done
	install -m 644 README.md CHANGELOG.md LICENSE $(DATA)/doc/sophia
	cp -R etc $(DATA)/doc/sophia/examples
	install -m 644 share/completions/sophia.bash $(DATA)/bash-completion/completions/sophia
	install -m 644 share/completions/_sophia $(DATA)/zsh/site-functions/_sophia
	install -m 644 share/completions/sophia.fish $(DATA)/fish/vendor_completions.d/sophia.fish

uninstall:	# what install put there; state folders stay
	rm -f $(patsubst cmd/%.c,$(DESTDIR)$(PREFIX)/bin/%,$(MAIN))
	rm -rf $(DATA)/sophia $(DATA)/doc/sophia $(DESTDIR)$(PREFIX)/libexec/sophia
	for p in man/*.[157]; do rm -f $(DATA)/man/man$${p##*.}/$${p##*/}; done
	rm -f $(DATA)/bash-completion/completions/sophia \
	  $(DATA)/zsh/site-functions/_sophia $(DATA)/fish/vendor_completions.d/sophia.fish

clean:	# what was built
	rm -rf build bin/sophia bin/sophia-*

export LSAN_OPTIONS = suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0
export ASAN_OPTIONS = fast_unwind_on_malloc=0

.PHONY: all help demo sandbox-image crash-build kill-sweep torture readme install uninstall san-unit lint-quick check check-now check-peers check-headers check-layers unit san lint fuzz \
	fuzz-now bench clean
.SECONDARY:
.DELETE_ON_ERROR:
-include $(wildcard $(BUILD)/cmd/*.d $(BUILD)/lib/*/*.d)
