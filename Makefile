# make [all]      build everything into build/
# make deps       install what is needed, asking before sudo
# make demo       the main job, in a scratch directory
# make test       the tests (T='t4*' picks some)
# make check      test, both compilers, sanitizers, shellcheck
# make cross      build and test for ARCH=i386 or s390x (32 bits, big-endian) or
#                 aarch64; T=- builds what a package carries, and tests nothing
# make npm        packages for npm, in build/npm, for this machine and for those
#                 that make cross has brought the libraries of
# make plugins    server.json, a plugin for Claude Code, an extension for Gemini
# make fuzz       each fuzzer for T seconds (T=60), from SEED if there is one
# make faults     every call of every command failing (QUICK=1: the worst)
# make analyze    the analysers against t/analyze.known, and ThreadSanitizer
# make clients    real clients of co mcp, and what drives a browser, for the tests
# make accept-agents  sessions of the real agents, by npm, offline
# make doc, bench, bench-team, cover, clean, install, uninstall
# COMPAT=1 as for systems that have POSIX alone
# DEV=1 warnings are errors; SAN=1 sanitizers; STATIC=1 no shared libraries,
# the default where that can be; STATIC= a shared C library all the same
# V=1 shows the commands, where else there is a line for each file that is made

prefix ?= $(or $(PREFIX),/usr/local)
VERSION = 0.1.0
B = build$(if $(SAN),/san)$(if $(COV),/cov)$(if $(COMPAT),/compat)
# What the compiler takes of these, asked once, behind deps.
takes = $(foreach f,$(1),$(shell $(CC) -O2 -Werror $(f) -include string.h -S \
	-x c -o - /dev/null >/dev/null 2>&1 && echo $(f)))
HARDEN = $(eval HARDEN := -U_FORTIFY_SOURCE $(call takes,-D_FORTIFY_SOURCE=3 \
	-fstack-protector-strong -fstack-clash-protection -fcf-protection))$(HARDEN)
# No folder's name gets in: two builds in two folders are equal byte for byte.
MAP = $(eval MAP := $(if $(COV),,$(if $(call takes,-ffile-prefix-map=/=/),\
	-ffile-prefix-map="$$$$PWD"=.)))$(MAP)
CFLAGS ?= -O2 -g $(if $(SAN)$(COV),,$(HARDEN))
FLAGS = -std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 \
	-DCO_VERSION='"$(VERSION)"' -iquote lib -I$(B) \
	-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -fPIE \
	-ffunction-sections -fdata-sections -fno-strict-aliasing -pthread \
	$(if $(DEV),-Werror) $(if $(COMPAT),-DCO_COMPAT) \
	$(if $(COV),--coverage -O0 -std=gnu11 -include t/cover.h) \
	$(if $(SAN),$(SANITIZE))
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
# A static program starts in 0.75 of the time of /bin/true; linked with the
# archives of our libraries alone, in 1.07; with shared ones, in 1.43.  Both
# variables are worked out at the first link: `make deps all` is one run.
found = $(filter /%,$(shell $(CC) -print-file-name=$(1)))
LIBS = $(eval LIBS := $(foreach l,yaml pcre2-8 jansson utf8proc sqlite3,\
	$(or $(call found,lib$(l).a),-l$(l))))$(LIBS)
STATIC ?= $(if $(filter -l%,$(LIBS)),,$(call found,rcrt1.o))
ifeq ($(shell uname),Darwin)
FLAGS += -I$(shell brew --prefix)/include
LINK = -L$(shell brew --prefix)/lib -Wl,-dead_strip
ARFLAGS = qcs
export ZERO_AR_DATE = 1
else
SUITE = $(B)/suite
ARFLAGS = qcsD
LINK = -Wl,--gc-sections -Wl,--as-needed -Wl,-z,relro -Wl,-z,now \
	-Wl,--build-id=sha1 \
	$(if $(SAN),-pie,$(if $(STATIC),-static-pie -Xlinker --wrap=dlopen,-pie))
endif

programs = $(patsubst $(1)/%.c,$(B)/$(2)/%,$(sort $(wildcard $(1)/*.c)))
sources = $(patsubst %.c,$(B)/%,$(sort $(wildcard $(1)/*/*.c)))
PROGRAMS := $(call programs,cmd,bin)
FUZZERS := $(call sources,t/fuzz)
UNITS := $(call sources,t/unit) $(FUZZERS)
OBJECTS := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard lib/*/*.c)))
FAULTS := $(filter-out %-http %-extract %-fetch,$(call programs,cmd,faults/bin)) \
	$(addprefix $(B)/faults/,sweep powercut)
MANUALS := $(foreach m,$(patsubst %.scd,%,$(notdir $(wildcard \
	Documentation/*.scd))),$(B)/share/man/man$(subst .,,$(suffix $(m)))/$(m))
# What is linked with no shared library, so that a package can carry it.
CARRIED := $(filter-out %-http %-extract %-fetch,$(call programs,cmd,cmd))
SHARED := $(patsubst contrib/%,$(B)/share/co-cli/%,$(wildcard contrib/hooks/* \
	contrib/prompts/*.md contrib/prompts/*/*.md contrib/models/*.bin))
FIRST := $(filter deps,$(MAKECMDGOALS)) # before all other goals
# Stands before a command: its line, or nothing where -s wants silence.
SILENT := $(findstring s,$(firstword -$(MAKEFLAGS)))
tell = $(if $(V),,@$(if $(SILENT),,printf '%-5s %s\n' $(1) '$(@:$(B)/%=%)';))

all: $(PROGRAMS) $(SHARED) doc $(if $(DEV),units)
doc: $(MANUALS)

# What the linker writes, a piece here and there, lies in the cache of files by
# single pages; copied, by large ones, of which one fault maps many: a twelfth of
# what starting a program takes.
copied = && cp $@.new $@.copy && mv $@.copy $@ && rm $@.new
define LINKING
@mkdir -p $(@D)
$(call tell,LD)$(CC) $(CFLAGS) $(FLAGS) $(LDFLAGS) -o $@.new $(filter %.o,$^) \
	$(B)/libco.a $(WRAP) $(LINK) $(LIBS) -lm $(FOREIGN) $(copied)
endef
$(B)/bin/%: $(B)/cmd/%.o $(B)/libco.a $(B)/flags
	$(LINKING)
# Those that need a library which no other may be linked with, since it takes ten
# times as long to load as a program takes to start; left out where it is missing.
$(B)/bin/co-model-http $(B)/bin/co-fetch: HEADERS = curl/curl.h
$(B)/bin/co-model-http $(B)/bin/co-fetch: FOREIGN = -lcurl
$(B)/bin/co-text-extract: HEADERS = libxml/parser.h archive.h
$(B)/bin/co-text-extract $(B)/t/fuzz/extract/%: FOREIGN = -lxml2 -larchive
$(B)/t/fuzz/fetch/%: FOREIGN = $(shell echo '\#include <curl/curl.h>' | \
	$(CC) $(CPPFLAGS) -E - >/dev/null 2>&1 && echo -lcurl)
$(B)/t/fuzz/extract/% $(B)/t/fuzz/fetch/%: STATIC =
$(B)/lib/extract/%.o $(B)/bin/co-text-extract: FLAGS += $(XML)
XML = $(eval XML := $(shell pkg-config --cflags libxml-2.0 2>/dev/null || \
	echo -I/usr/include/libxml2))$(XML)
$(B)/bin/co-fetch $(B)/bin/co-model-http $(B)/bin/co-text-extract: $(B)/bin/%: cmd/%.c \
		$(B)/libco.a $(B)/flags
	@mkdir -p $(@D) $(B)/cmd && rm -f $@
	$(call tell,LD)if printf '#include <%s>\n' $(HEADERS) | \
		$(CC) $(CPPFLAGS) $(FLAGS) -E - >$(B)/$*.i 2>&1; then \
		$(CC) $(CPPFLAGS) $(CFLAGS) $(FLAGS) $(MAP) -c \
			-o $(B)/cmd/$*.o $< && \
		$(CC) $(CFLAGS) $(FLAGS) $(LDFLAGS) -o $@.new \
			$(B)/cmd/$*.o $(B)/libco.a $(LINK:-static-pie=-pie) \
			$(LIBS) -lm $(FOREIGN) $(copied); \
	else echo 'without $(HEADERS): no $*' >&2; fi
$(B)/t/%: $(B)/t/%.o $(B)/libco.a $(B)/flags
	$(LINKING)
# The programs once more, with calls of the system that fail when told to.
$(B)/faults/bin/%: $(B)/cmd/%.o $(B)/t/faults/wrap.o $(B)/libco.a $(B)/flags
	$(LINKING)
$(B)/faults/bin/%: WRAP = $$(nm $(B)/t/faults/wrap.o | \
	sed -n 's/.* T __wrap_/-Wl,--wrap=/p')
$(B)/faults/sweep: $(patsubst %,$(B)/t/faults/%.o,scenarios tree verdict web world)
$(B)/faults/%: $(B)/t/faults/%.o $(B)/libco.a $(B)/flags
	$(LINKING)
# All that a package carries in one program, which is the one that its first word
# names: a twentieth of what they are on their own.
$(B)/suite: $(CARRIED:=.o) $(B)/contrib/npm/suite.o $(B)/libco.a $(B)/flags
	$(call tell,LD)rm -rf $(B)/renamed && mkdir -p $(B)/renamed && for o in $(CARRIED:=.o); do \
		n=$$(basename $$o .o | tr - _) && \
		$(OBJCOPY) --redefine-sym main=main_$$n $$o $(B)/renamed/$$n.o || \
		exit; done && \
		$(CC) $(CFLAGS) $(FLAGS) $(LDFLAGS) -s -o $@.new \
			$(B)/renamed/*.o $(B)/contrib/npm/suite.o \
			$(B)/libco.a $(LINK) $(LIBS) -lm $(copied)
$(B)/contrib/npm/suite.o: $(B)/suite.h
$(B)/suite.h: Makefile $(wildcard cmd/*.c)
	@mkdir -p $(@D)
	$(call tell,GEN)for n in $(notdir $(CARRIED)); do \
		echo "PROGRAM(\"$$n\", main_$$(echo $$n | tr - _))"; \
		done >$@.new && mv $@.new $@
OBJCOPY = $(shell $(CC) -print-prog-name=objcopy)
$(B)/libco.a: $(OBJECTS)
	$(call tell,AR)rm -f $@ && $(AR) $(ARFLAGS) $@ $^
$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call tell,CC)$(CC) $(CPPFLAGS) $(CFLAGS) $(FLAGS) $(MAP) -MMD -MP -c -o $@ $<
# Files as strings that are called as they are, "context.md" context_md.
define STRINGS
@mkdir -p $(@D)
$(call tell,GEN)for f in $^; do \
	basename "$$f" | sed 's/[-.]/_/g; s/.*/static const char &[] =/'; \
	sed 's/["\\?]/\\&/g; s/.*/"&\\n"/' "$$f"; echo ';'; \
	done >$@.new && mv $@.new $@
endef
# The example contexts, of which a new context is made, and the page of co browse.
$(B)/lib/agent/context.o: $(B)/contexts.h
$(B)/contexts.h: Documentation/examples/context.md \
		Documentation/examples/global-context.md
	$(STRINGS)
$(B)/lib/porcelain/browse.o: $(B)/browse-page.h
$(B)/browse-page.h: $(addprefix lib/porcelain/browse.,html css js)
	$(STRINGS)
# Touched only when the flags are others than last time: no stale objects.
$(B)/flags: always | $(FIRST)
	@mkdir -p $(@D)
	@echo '$(subst ','\'',$(CC) $(CPPFLAGS) $(CFLAGS) $(FLAGS) $(LDFLAGS) \
		$(LINK) $(LIBS))' >$@.new; cmp -s $@.new $@ || mv $@.new $@
# man hyphenates and justifies unless told behind .TH, which gets no day that
# the build has; \- is what one types.
ROFF = sed -E -e '/^\.TH/s/ "[0-9-]{10}"/ ""/' \
	-e '/^\.TH/a\' -e '.nh' -e '/^\.TH/a\' -e '.ad l' \
	-e '/^(\.|\\h)/!s/-/\\-/g'
.SECONDEXPANSION:
$(MANUALS): Documentation/$$(@F).scd Makefile | $(FIRST)
	@mkdir -p $(@D)
	$(call tell,MAN)scdoc <$< >$@.scd && $(ROFF) $@.scd >$@.new && mv $@.new $@ && rm $@.scd

# Where the programs find prompts and models, built or installed.
$(SHARED): $(B)/share/co-cli/%: contrib/%
	@mkdir -p $(@D)
	$(call tell,CP)cp $< $@

deps:
	contrib/install-deps
demo: all
	contrib/demo $(B)/bin
units: $(UNITS) $(SUITE)
suite: $(B)/suite $(SHARED) doc
npm: suite
	$(if $(wildcard build/aarch64/root/done),t/cross $(MAKE) aarch64 -)
	contrib/npm/pack build/npm $(VERSION) $(B) $(wildcard build/aarch64)
plugins: all
	contrib/npm/plugins build/plugins $(VERSION) $(B)/bin
fuzzers: $(FUZZERS)
test: all units
	t/run $(B)/bin $(T)
accept-agents: all
	t/agents/run $(B)
clients:
	t/mcp/install
check cover:
	t/$@ $(MAKE)
analyze:
	t/analyze $(MAKE)
cross:
	t/cross $(MAKE) $(ARCH) $(T)
fuzz:
	SEED=$(SEED) t/fuzz/run $(MAKE) $(or $(T),60)
faults: all $(FAULTS)
	t/faults/run $(B) $(if $(QUICK),quick,full)
	$(if $(QUICK)$(SAN),,$(MAKE) SAN=1 QUICK=1 faults)
bench: all
	t/perf/run $(B)/bin
# 30 clones, 1,000 merges, three seeds; ARGS='shape=mesh by=forge' and so on.
bench-team: all
	for seed in 1 2 3; do t/perf/team $(B)/bin seed=$$seed $(ARGS); done
install: all
	contrib/install $(B) '$(DESTDIR)' '$(prefix)'
uninstall:
	contrib/install --remove '$(DESTDIR)' '$(prefix)'
clean:
	rm -rf build

.PHONY: all doc units fuzzers deps demo accept-agents clients test check analyze cross fuzz faults suite npm plugins bench bench-team cover \
	install uninstall clean always
.SECONDARY:
-include $(wildcard $(foreach d,* */* */*/*,$(B)/$(d)/*.d))
