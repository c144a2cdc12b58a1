# make [all]      build everything into build/
# make deps       install what is needed, asking before sudo
# make demo       the main job, in a scratch directory
# make test       the tests (T='t4*' picks some)
# make check      test, sanitizers, shellcheck, layers, manuals
# make doc, bench, cover, clean, install, uninstall
# DEV=1 warnings are errors; SAN=1 sanitizers; STATIC=1 no shared libraries

prefix ?= /usr/local
bindir = $(DESTDIR)$(prefix)/bin
mandir = $(DESTDIR)$(prefix)/share/man
VERSION = 0.1.0
B = build$(if $(SAN),/san)$(if $(COV),/cov)
CFLAGS ?= -O2 -g
WARN = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS = -std=c11 -D_GNU_SOURCE -DCO_VERSION='"$(VERSION)"' -Ilib $(WARN) \
	-ffunction-sections -fdata-sections -fno-strict-aliasing -MMD -MP \
	$(if $(DEV),-Werror) $(if $(COV),--coverage -O0) \
	$(if $(SAN),$(SANITIZE))
ifeq ($(shell uname),Darwin)
FLAGS += -I$(shell brew --prefix)/include
LINK = -L$(shell brew --prefix)/lib -Wl,-dead_strip
else
LINK = -Wl,--gc-sections -Wl,--as-needed $(if $(STATIC),-static)
endif
# The archive of library $(1) where there is one: a program then holds what it
# uses and starts without searching; else the shared library.
archive = $(or $(filter /%,$(shell $(CC) -print-file-name=lib$(1).a)),-l$(1))
LIBS := $(foreach l,yaml pcre2-8 jansson utf8proc,$(call archive,$(l)))

PROGRAMS := $(patsubst cmd/%.c,$(B)/bin/%,$(wildcard cmd/*.c))
MANUALS := $(patsubst Documentation/%.scd,build/man/%,$(wildcard Documentation/*.scd))
OBJECTS := $(patsubst lib/%.c,$(B)/lib/%.o,$(wildcard lib/*.c))

all: $(PROGRAMS) doc
doc: $(MANUALS)

$(B)/bin/%: $(B)/cmd/%.o $(B)/libco.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(FLAGS) $(LDFLAGS) -o $@ $< $(B)/libco.a $(LINK) $(LIBS)
$(B)/libco.a: $(OBJECTS)
	rm -f $@ && $(AR) rcs $@ $^
$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(FLAGS) -c -o $@ $<
build/man/%: Documentation/%.scd
	@mkdir -p $(@D)
	scdoc <$< >$@.new && mv $@.new $@

deps:
	contrib/install-deps
demo: all
	contrib/demo $(B)/bin
test: all
	t/run $(B)/bin $(T)
check:
	t/check $(MAKE)
bench: all
	t/perf/run $(B)/bin
cover:
	t/cover $(MAKE)
install: all
	contrib/install $(B) '$(bindir)' '$(mandir)' '$(DESTDIR)$(prefix)/share'
uninstall:
	contrib/install --remove '$(bindir)' '$(mandir)' '$(DESTDIR)$(prefix)/share'
clean:
	rm -rf build

.PHONY: all doc deps demo test check bench cover install uninstall clean
.SECONDARY:
-include $(wildcard $(B)/*/*.d)
