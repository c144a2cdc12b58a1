# make [all]      build everything into build/
# make deps       install what is needed, asking before sudo
# make demo       a short demo in a temporary directory
# make t          some tests: NAME='words of a name', FILE=t3010, FILE=unit/store
# make test       the tests that prove every behaviour once (T='t4 t5' picks some)
# make check      what a change must pass: test, both compilers, faults, sanitizers
# make check-all  everything, slow tests too, before a release: hours
# make mutants    N=60 small changes of lib: how many the tests catch
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
# make install MODELS=words installs without the encoder of sentences, 13 MB
# make doc, bench, bench-team, cover, clean, install, uninstall
# COMPAT=1 as for systems that have POSIX alone
# DEV=1 warnings are errors; SAN=1 sanitizers; STATIC=1 no shared libraries,
# the default where that can be; STATIC= a shared C library all the same
# SINGLE=1 links each program on its own, in build/single/bin
# V=1 shows the commands; otherwise a terminal shows one line of progress, and a
# pipe or a file gets a line for each tenth; -s shows nothing

MODELS = words minilm
prefix ?= $(or $(PREFIX),/usr/local)
VERSION = 0.1.0
B = build$(if $(SINGLE),/single)$(if $(SAN),/san)$(if $(COV),/cov)$(if $(COMPAT),/compat)
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
	-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -fPIE \
	-ffunction-sections -fdata-sections -fno-strict-aliasing -pthread \
	$(if $(SAN)$(COV),,-fno-asynchronous-unwind-tables) \
	$(if $(DEV),-Werror) $(if $(COMPAT),-DCO_COMPAT) \
	$(if $(COV),--coverage -O0 -std=gnu11 -include t/cover.h) \
	$(if $(SAN),$(SANITIZE))
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
# A static program starts in 0.75 of the time of /bin/true; linked with the
# archives of our libraries alone, in 1.07; with shared ones, in 1.43.  Both
# variables are worked out at the first link: `make deps all` is one run.
found = $(filter /%,$(shell $(CC) -print-file-name=$(1)))
LIBS = $(eval LIBS := $(foreach l,yaml pcre2-8 jansson utf8proc sqlite3 $(ZSTD),\
	$(or $(call found,lib$(l).a),-l$(l))))$(LIBS)
# This one is optional: make ZSTD= builds without it.
ZSTD = $(eval ZSTD := $(shell $(CC) $(CPPFLAGS) $(FLAGS) -include zstd.h \
	-E -x c /dev/null >/dev/null 2>&1 && echo zstd))$(ZSTD)
STATIC ?= $(if $(filter -l%,$(LIBS)),,$(call found,rcrt1.o))
ifeq ($(shell uname),Darwin)
FLAGS += -I$(shell brew --prefix)/include
LINK = -L$(shell brew --prefix)/lib -Wl,-dead_strip
ARFLAGS = qcs
export ZERO_AR_DATE = 1
else
ARFLAGS = qcsD
LINK = -Wl,--gc-sections -Wl,--as-needed -Wl,-z,relro -Wl,-z,now \
	-Wl,--build-id=sha1 \
	$(if $(SAN),-pie,$(if $(STATIC),-static-pie -Xlinker --wrap=dlopen,-pie))
endif

sources = $(patsubst %.c,$(B)/%,$(sort $(wildcard $(1)/*/*.c)))
# Programs that need a library which takes ten times as long to load as another
# program takes to start. Each is linked on its own, or left out where its library
# is missing; all other programs are names of one executable, co-suite.
APART := co-fetch co-model-http co-remote-postgres co-text-extract
TOGETHER := $(filter-out $(APART),$(patsubst cmd/%.c,%,$(sort $(wildcard cmd/co*.c))))
PROGRAMS := $(addprefix $(B)/bin/,$(TOGETHER) $(APART))
UNITS := $(call sources,t/unit)
TOOLS := $(call sources,t/tool)
FUZZERS := $(call sources,t/fuzz)
OBJECTS := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard lib/*/*.c)))
FAULTS := $(addprefix $(B)/faults/bin/,$(TOGETHER)) \
	$(addprefix $(B)/faults/,sweep powercut share)
MANUALS := $(foreach m,$(patsubst %.scd,%,$(notdir $(wildcard \
	Documentation/*.scd))),$(B)/share/man/man$(subst .,,$(suffix $(m)))/$(m))
SHARED := $(patsubst contrib/%,$(B)/share/co-cli/%,$(wildcard contrib/hooks/* \
	contrib/prompts/*.md contrib/prompts/*/*.md contrib/models/*.bin))
GUIDE := $(addprefix $(B)/share/co-cli/guide/,$(notdir $(wildcard \
	Documentation/tutorial.md Documentation/guide/*.md)))
FIRST := $(filter deps,$(MAKECMDGOALS)) # before all other goals
# tell stands at the start of a recipe line. On a terminal it shows what is made, on
# one line that the next one overwrites. Elsewhere it counts: make prints a line at
# the first file, and at each tenth of them, unless single files are made. With -s it
# shows nothing.
SILENT := $(findstring s,$(firstword -$(MAKEFLAGS)))
SHOWN := $(if $(SILENT)$(V),,$(MAKE_TERMOUT))
DRY := $(findstring n,$(firstword -$(MAKEFLAGS)))
FILES := $(strip $(if $(SILENT)$(V)$(DRY)$(MAKE_TERMOUT)$(filter $(B)/%,\
	$(MAKECMDGOALS)),,$(words $(OBJECTS) $(PROGRAMS) $(MANUALS) $(SHARED) $(GUIDE))))
TENTHS = $(eval TENTHS := $(shell awk 'BEGIN { for (i = 1; i < 10; i++) \
	print int($(FILES) * i / 10) }'))$(TENTHS)
count = $(if $(FILES),$(if $(MADE),,$(info building at most $(FILES) files))$(eval \
	MADE += x)$(if $(filter $(words $(MADE)),$(TENTHS)),$(info built $(words \
	$(MADE)) of $(FILES))))
tell = $(if $(V),,@$(count)$(if $(SHOWN),printf '\033[K%-5s %s\r' $(1) '$(@:$(B)/%=%)';))
done = $(if $(SHOWN),@printf '\033[K',@:)$(if $(MADE),$(info built all))

all: $(PROGRAMS) $(SHARED) $(GUIDE) doc $(if $(DEV),units)
	$(done)
doc: $(MANUALS)

# The linker writes a file piece by piece, which leaves it in the page cache as
# single pages. A copy lies there in large ones, which take fewer page faults:
# a program starts in 11/12 of the time.
copied = && cp $@.new $@.copy && mv $@.copy $@ && rm $@.new
# The tests' programs take a shared C library, since they link faster so.
define LINKING
@mkdir -p $(@D)
$(call tell,LD)$(CC) $(CFLAGS) $(FLAGS) $(LDFLAGS) -o $@.new $(filter %.o,$^) \
	$(B)/libco.a $(WRAP) $(START) $(if $(filter $(B)/t/%,$@),$(SHARES),$(LINK)) \
	$(LIBS) -lm $(FOREIGN) $(copied)
endef
SHARES = $(LINK:-static-pie=-pie)
ifdef SINGLE
$(B)/bin/% $(B)/faults/bin/%: $(B)/cmd/%.o $(B)/libco.a $(B)/flags
	$(LINKING)
else
# The compiler renames the main() of each command. The main() of cmd/suite.c calls
# the one that the program's name asks for.
$(TOGETHER:%=$(B)/cmd/%.o): OWN = -Wno-missing-prototypes \
	-Dmain=main_$(subst -,_,$(*F))
$(B)/bin/co-suite $(B)/faults/bin/co-suite: $(TOGETHER:%=$(B)/cmd/%.o) \
		$(B)/cmd/suite.o $(B)/libco.a $(B)/flags cmd/suite.ld
	$(LINKING)
# An executable of all commands takes more page faults to start: 68 instead of 31.
# Three things leave about as many: the order of cmd/suite.ld, one call for all pages
# that relocation writes (compat_prefault), and packed relocations, where the linker
# has them.
$(B)/bin/co-suite $(B)/faults/bin/co-suite: START = $(if \
	$(filter -static-pie,$(LINK)),-T cmd/suite.ld \
	-Xlinker --wrap=__libc_start_main $(PACKED))
PACKED = $(eval PACKED := $(if $(shell echo 'int main(void) { return 0; }' | \
	$(CC) -x c - -o /dev/null $(PACK) 2>&1),,$(PACK)))$(PACKED)
PACK = -static-pie -Wl,-z,pack-relative-relocs
$(TOGETHER:%=$(B)/bin/%): $(B)/bin/co-suite
	@ln -sf co-suite $@
$(TOGETHER:%=$(B)/faults/bin/%): $(B)/faults/bin/co-suite
	@ln -sf co-suite $@
$(B)/cmd/suite.o: $(B)/suite.h
$(B)/suite.h: Makefile $(wildcard cmd/*.c)
	@mkdir -p $(@D)
	$(call tell,GEN)for n in $(TOGETHER); do \
		echo "PROGRAM(\"$$n\", main_$$(echo $$n | tr - _))"; \
		done >$@.new && mv $@.new $@
endif
# The same programs, with system calls that fail when told to.
$(filter $(B)/faults/bin/%,$(FAULTS)) $(B)/faults/bin/co-suite: \
	$(B)/t/faults/wrap.o
$(B)/faults/bin/%: WRAP = $$(nm $(B)/t/faults/wrap.o | \
	sed -n 's/.* T __wrap_/-Wl,--wrap=/p')
$(B)/bin/co-model-http $(B)/bin/co-fetch: HEADERS = curl/curl.h
$(B)/bin/co-model-http $(B)/bin/co-fetch: FOREIGN = -lcurl
$(B)/bin/co-text-extract: HEADERS = libxml/parser.h archive.h
$(B)/bin/co-text-extract $(B)/t/fuzz/extract/%: FOREIGN = -lxml2 -larchive
$(B)/t/fuzz/fetch/%: FOREIGN = $(shell echo '\#include <curl/curl.h>' | \
	$(CC) $(CPPFLAGS) -E - >/dev/null 2>&1 && echo -lcurl)
$(B)/lib/extract/%.o $(B)/cmd/co-text-extract.o $(B)/bin/co-text-extract: OWN = $(XML)
XML = $(eval XML := $(shell pkg-config --cflags libxml-2.0 2>/dev/null || \
	echo -I/usr/include/libxml2))$(XML)
$(B)/bin/co-remote-postgres: HEADERS = libpq-fe.h
$(B)/bin/co-remote-postgres: FOREIGN = -lpq
$(B)/lib/remote/postgres.o $(B)/lib/remote/postgres-%.o $(B)/bin/co-remote-postgres: OWN = $(LIBPQ)
LIBPQ = $(eval LIBPQ := $(shell pkg-config --cflags libpq 2>/dev/null || \
	echo -I/usr/include/postgresql))$(LIBPQ)
$(B)/lib/reader/zstd-read.o: OWN = $(if $(ZSTD),-DCO_ZSTD)
# The kernels of the encoder compute the same floats on every machine: nothing is
# contracted, or rounded to more digits than it has. -O2 takes twice the time.
$(B)/lib/embed/transformer.o $(B)/lib/embed/kernel-%.o: OWN = $(EXACT) \
	$(if $(SSE2),$(FOR_$(*F)))
EXACT = $(if $(SAN)$(COV),,-O3) -ffp-contract=off -fno-trapping-math -fno-math-errno -Wno-psabi \
	$(GCC) $(SSE2)
GCC = $(eval GCC := $(call takes,-fno-tree-reassoc -fexcess-precision=fast))$(GCC)
SSE2 = $(eval SSE2 := $(if $(call takes,-msse2),-msse2 -mfpmath=sse))$(SSE2)
FOR_kernel-ssse3 = -mssse3
FOR_kernel-avx2 = -mavx2
FOR_kernel-vnni = -mavx512f -mavx512bw -mavx512vl -mavx512vnni
$(APART:%=$(B)/bin/%): $(B)/bin/%: cmd/%.c $(B)/libco.a $(B)/flags
	@mkdir -p $(@D) $(B)/cmd && rm -f $@
	$(call tell,LD)if printf '#include <%s>\n' $(HEADERS) | \
		$(CC) $(CPPFLAGS) $(FLAGS) $(OWN) -E - >$(B)/$*.i 2>&1; then \
		$(CC) $(CPPFLAGS) $(CFLAGS) $(FLAGS) $(OWN) $(MAP) -c \
			-o $(B)/cmd/$*.o $< && \
		$(CC) $(CFLAGS) $(FLAGS) $(LDFLAGS) -o $@.new \
			$(B)/cmd/$*.o $(B)/libco.a $(SHARES) $(LIBS) -lm $(FOREIGN) $(copied); \
	else echo 'without $(HEADERS): no $*' >&2; fi
$(B)/t/%: $(B)/t/%.o $(B)/libco.a $(B)/flags
	$(LINKING)
$(B)/faults/sweep: $(patsubst %,$(B)/t/faults/%.o,scenarios tree verdict web world)
$(B)/faults/share:
	@mkdir -p $(@D)
	ln -sfn ../share $@
$(B)/faults/%: $(B)/t/faults/%.o $(B)/libco.a $(B)/flags
	$(LINKING)
$(B)/libco.a: $(OBJECTS)
	$(call tell,AR)rm -f $@ && $(AR) $(ARFLAGS) $@ $^
$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call tell,CC)$(CC) $(CPPFLAGS) $(CFLAGS) $(FLAGS) $(OWN) $(MAP) \
		-MMD -MP -c -o $@ $<
# Files as strings that are called as they are, "context.md" context_md.
define STRINGS
@mkdir -p $(@D)
$(call tell,GEN)for f in $^; do \
	basename "$$f" | sed 's/[-.]/_/g; s/.*/static const char &[] =/'; \
	sed 's/["\\?]/\\&/g; s/.*/"&\\n"/' "$$f"; echo ';'; \
	done >$@.new && mv $@.new $@
endef
# The example contexts, of which a new context is made, a plugin, and the page of
# co browse.
$(B)/lib/agent/context.o: $(B)/contexts.h
$(B)/contexts.h: Documentation/examples/context.md \
		Documentation/examples/global-context.md
	$(STRINGS)
$(B)/lib/agent/config.o: $(B)/opencode-plugin.h
$(B)/opencode-plugin.h: lib/agent/opencode.js
	$(STRINGS)
$(B)/lib/overview/browse.o: $(B)/browse-page.h
$(B)/browse-page.h: $(addprefix lib/overview/browse.,html css js)
	$(STRINGS)
# The tables of a remote index.
$(B)/lib/remote/postgres-answer.o: $(B)/postgres-schema.h
$(B)/postgres-schema.h: lib/remote/postgres-schema.sql
	$(STRINGS)
# Name, kind, summary and operands of each command.
$(B)/lib/cli/help.o: $(B)/commands.h
$(B)/commands.h: $(wildcard cmd/*.c) Makefile
	@mkdir -p $(@D)
	$(call tell,GEN)awk -F '"' ' \
		FNR == 1 { name = kind = summary = operands = "" } \
		/^\t\.name = "/ { name = $$2; \
			kind = name ~ /-.*-/ ? "plumbing" : "porcelain" } \
		/^\t\.plumbing = true/ { kind = "plumbing" } \
		/^\t\.summary = "/ { summary = $$2 } \
		/^\t\.operands = "/ { operands = $$2 } \
		/^};/ && summary { printf "{\"%s\", \"%s\", \"%s\", \"%s\"},\n", \
			name, kind, summary, operands; summary = "" }' $(filter %.c,$^) >$@.new && \
		mv $@.new $@
# Touched only when the flags are others than last time: no stale objects. OWN is
# not among them, but for whether it renames main().
$(B)/flags: always | $(FIRST)
	@mkdir -p $(@D)
	@echo '$(subst ','\'',$(CC) $(CPPFLAGS) $(CFLAGS) $(FLAGS) $(LDFLAGS) \
		$(LINK) $(LIBS) $(if $(SINGLE),,-Dmain))' >$@.new; cmp -s $@.new $@ || mv $@.new $@
# man hyphenates and justifies unless told behind .TH, which gets no day that
# the build has; \- is what one types.
ROFF = sed -E -e '/^\.TH/s/ "[0-9-]{10}"/ ""/' \
	-e '/^\.TH/a\' -e '.nh' -e '/^\.TH/a\' -e '.ad l' \
	-e '/^(\.|\\h)/!s/-/\\-/g'
.SECONDEXPANSION:
$(MANUALS): Documentation/$$(@F).scd Makefile | $(FIRST)
	@mkdir -p $(@D)
	$(call tell,MAN)scdoc <$< >$@.scd && $(ROFF) $@.scd >$@.new && mv $@.new $@ && rm $@.scd

# Where the programs find prompts, models and the pages of co help, built or
# installed.
$(SHARED): $(B)/share/co-cli/%: contrib/%
	@mkdir -p $(@D)
	$(call tell,CP)cp $< $@
$(GUIDE): $$(wildcard Documentation/guide/$$(@F) Documentation/$$(@F))
	@mkdir -p $(@D)
	$(call tell,CP)cp $< $@

deps:
	contrib/install-deps
demo: all
	contrib/demo $(B)/bin
units: $(UNITS) $(TOOLS) $(FUZZERS)
npm: all
	$(if $(wildcard build/aarch64/root/done),t/cross $(MAKE) aarch64 -)
	contrib/npm/pack build/npm $(VERSION) $(B) $(wildcard build/aarch64)
plugins: all
	contrib/npm/plugins build/plugins $(VERSION) $(B)/bin
fuzzers: $(FUZZERS)
test: all units
	t/run $(B)/bin $(T)
CHOSEN = NAME='$(subst ','\'',$(NAME))' TAGS='$(TAGS)' t/run
ifneq ($(filter t,$(MAKECMDGOALS)),)
NEEDED := $(addprefix $(B)/,$(shell $(CHOSEN) --needs $(FILE)))
endif
t: all $(NEEDED)
	$(CHOSEN) $(B)/bin $(FILE)
objects: $(OBJECTS) $(patsubst %.c,$(B)/%.o,$(wildcard cmd/*.c t/faults/*.c)) \
	$(UNITS:=.o)
accept-agents: all
	t/agents/run $(B)
clients:
	t/mcp/install
check cover:
	t/$@ $(MAKE)
check-all:
	t/check $(MAKE) all
mutants:
	t/mutants $(MAKE) $(or $(N),60) $(SEED)
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
	MODELS='$(MODELS)' contrib/install $(B) '$(DESTDIR)' '$(prefix)'
uninstall:
	contrib/install --remove '$(DESTDIR)' '$(prefix)'
clean:
	rm -rf build

.PHONY: all doc units fuzzers deps demo accept-agents clients test t objects check check-all mutants analyze cross fuzz faults npm plugins bench bench-team cover \
	install uninstall clean always
.SECONDARY:
-include $(wildcard $(foreach d,* */* */*/*,$(B)/$(d)/*.d))
