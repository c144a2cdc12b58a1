/* command-words.c: this reads what people and agents usually write, not all of a shell's
 * grammar. What it takes wrongly is only looked up.
 */
#include "action/command-words.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/strings.h"
#include "rank/terms.h"
#include "sys/file.h"

#define PROGRAMS 8 /* of a command line */
#define OPERANDS 2 /* of a program */
#define WORD_MAX 64

/* They only look at files, move them or print. */
static const char dull[] =
	"cd ls cat echo printf pwd true false test [ [[ head tail less more "
	"wc sort uniq cut tr grep egrep fgrep rg ag find fd which type export "
	"set unset mkdir touch cp mv rm ln chmod chown sed awk tee diff cmp "
	"stat file date sleep kill ps top df du exit return for while if then "
	"else fi do done case esac tree basename dirname realpath read wait "
	"jq xxd hexdump seq yes source . whoami id uname apply_patch pushd "
	"popd local alias history man clear rmdir free htop lsof netstat ss "
	"ping dig "
	"host nslookup uptime printenv nproc perf strace gdb lldb valgrind "
	"hyperfine";

/* Another program follows. */
static const char prefixes[] =
	"sudo env time nice nohup exec command xargs timeout stdbuf doas npx "
	"pnpx bunx uvx then do else !";

/* Another program follows after "run" or "exec". */
static const char wrappers[] = "poetry uv pipenv hatch bundle pnpm rye";

/* Their name says little. */
static const char common[] =
	"git make npm pnpm yarn bun node deno python python2 python3 pip pip3 "
	"uv poetry go cargo rustc java mvn gradle gradlew bash sh zsh fish "
	"ruby bundle rake php composer dotnet just task cmake ninja meson gcc "
	"g++ cc clang perl docker podman gh code vim open docker-compose co "
	"curl wget tsc "
	"tsx ts-node apt apt-get brew";

/* Their first operand is a script. */
static const char interpreters[] =
	"python python2 python3 node deno bash sh zsh ruby perl php tsx "
	"ts-node fish";

/* Their operands are targets that a project names. */
static const char runners[] =
	"make npm pnpm yarn bun just task rake mvn gradle gradlew nox tox "
	"invoke composer";

/* Which of them a project uses is a decision, when they bring something new. */
static const char installers[] =
	"npm pnpm yarn bun pip pip3 uv poetry apt apt-get brew";
static const char installs[] = "install add i";

/* Targets and subcommands of all projects. */
static const char usual[] =
	"install build test tests clean all run start dev lint add check ci "
	"update help init format watch serve remove i t exec release docs fmt "
	"audit store publish pack package compile verify config cache prune "
	"link version upgrade";

/* Subcommands that only look at something, as describe-instances does, too. */
static const char looks[] =
	"ps logs log get describe status list ls show inspect top stats images "
	"info version view help history outdated events search explain diff "
	"blame";

/* Options whose value is no target. */
static const char valued[] = "-C -f -F --prefix --cwd --dir --filter";

/* Options that say what a program is. */
static const char asks[] = "--version --help";

static bool is_in(const char *words, const char *word)
{
	return strings_word_is_in(words, word, strlen(word));
}

struct reading {
	struct command *c;
	struct arena *a;
	struct terms terms;
	struct buf text;
	unsigned of;
	bool program, telling;
	bool joined; /* the parts of the word say less than the whole */
};

static int add_word(void *ctx, const struct term *t)
{
	struct reading *r = ctx;
	struct command *c = r->c;

	if (c->nwords == COMMAND_WORDS || t->word_len > WORD_MAX)
		return 1;
	if (words_is_stop(t->word, t->word_len))
		return 0;
	c->words[c->nwords++] = (struct command_word){
		.term = arena_copy(r->a, t->p, t->len),
		.len = t->len,
		.word = arena_copy(r->a, t->word, t->word_len),
		.word_len = t->word_len,
		.of = r->of,
		.program = r->program,
		.telling = r->telling && (!r->joined || t->whole)};
	return 0;
}

/* Add the words of TEXT. */
static void add_words(struct reading *r, const char *text, bool program,
		      bool telling)
{
	r->program = program;
	r->telling = telling;
	r->joined = text[strcspn(text, "_-.")];
	terms_each(&r->terms, text, strlen(text), add_word, r);
	buf_addf(&r->text, "%s%s", r->text.len ? " " : "", text);
}

static void add_file(struct reading *r, const char *path)
{
	while (!strncmp(path, "./", 2))
		path += 2;
	if (*path && *path != '/' && r->c->nfiles < COMMAND_FILES)
		r->c->files[r->c->nfiles++] = path;
}

/* Return true if TOKEN is the name of a file. */
static bool is_file(const char *token)
{
	const char *dot = strrchr(token, '.');

	return !token[strcspn(token, "()$*?{}<>=,;")] &&
	       (strchr(token, '/') ||
		(dot && dot > token && dot[1] && strlen(dot) <= 6));
}

/* Return true if TOKEN may be a subcommand or a target. */
static bool is_operand(const char *token)
{
	const size_t letters = strcspn(token, "abcdefghijklmnopqrstuvwxyz"
					      "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

	return token[letters] && strlen(token) <= WORD_MAX &&
	       !token[strcspn(token, "=$<>{}*?#~%^!\\ \t")];
}

/* Return true if TOKEN is a name that was made up: e2e, deploy-staging. */
static bool is_made_up(const char *token)
{
	return token[strcspn(token, "0123456789_-")];
}

/* Add the parts of the operand TOKEN between colons, as in test:e2e. */
static void add_operand(struct reading *r, const char *token, bool target)
{
	for (size_t n; *token; token += n + (token[n] == ':')) {
		const char *part;

		n = strcspn(token, ":");
		part = arena_copy(r->a, token, n);
		if (n)
			add_words(r, part, false,
				  is_made_up(part) ||
					  (target && !is_in(usual, part)));
	}
}

/* Return the base name of the program at PATH, without an extension. */
static const char *program_name(const char *path, struct arena *a)
{
	const char *name = file_name_of(path);
	const char *dot = strrchr(name, '.');

	return arena_copy(a, name,
			  dot && dot > name ? (size_t)(dot - name)
					    : strlen(name));
}

/* Return true if TOKEN, or what it has before a hyphen, is in looks. */
static bool is_look(const char *token)
{
	return strings_word_is_in(looks, token, strcspn(token, "-"));
}

/* Return true if the program NAME, with the N TOKENS after it, only looks at something:
 * one of the first operands says so, unless they are targets. */
static bool only_looks(const char *name, const char *const *tokens, size_t n)
{
	bool targets = is_in(runners, name) && !is_in(installers, name);

	for (size_t i = 0, operands = 0; i < n && operands < OPERANDS; i++) {
		if (is_in(asks, tokens[i]))
			return true;
		targets = targets || !strcmp(tokens[i], "run");
		operands += *tokens[i] != '-';
		if (!targets && *tokens[i] != '-' && is_look(tokens[i]))
			return true;
	}
	return false;
}

/* Return true if the program at PATH, which is called NAME, says enough, with the N
 * TOKENS after it. Where one is called by its path, its file is looked up. */
static bool is_telling(const char *path, const char *name,
		       const char *const *tokens, size_t n)
{
	if (is_in(common, name))
		return n && is_in(installers, name) &&
		       is_in(installs, tokens[0]);
	return !is_in(usual, name) && (!is_file(path) || is_made_up(name));
}

/* Read one program and its operands from the N TOKENS. */
static void read_program(struct reading *r, const char *const *tokens, size_t n)
{
	size_t i = 0, operands = 0;
	const char *name;
	bool script;

	while (i < n && (is_in(prefixes, tokens[i]) || strchr(tokens[i], '=') ||
			 (i && (*tokens[i] == '-' ||
				strspn(tokens[i], "0123456789smh") ==
					strlen(tokens[i])))))
		i++;
	if (i + 2 < n && is_in(wrappers, tokens[i]) &&
	    (!strcmp(tokens[i + 1], "run") || !strcmp(tokens[i + 1], "exec")))
		i += 2;
	if (i == n || !*tokens[i] || *tokens[i] == '-')
		return;
	name = program_name(tokens[i], r->a);
	if (!is_operand(name) || is_in(dull, name) ||
	    only_looks(name, tokens + i + 1, n - i - 1))
		return;
	if (is_file(tokens[i]))
		add_file(r, tokens[i]);
	script = is_in(interpreters, name);
	i++;
	add_words(r, name, true,
		  is_telling(tokens[i - 1], name, tokens + i, n - i));
	for (; i < n && operands < OPERANDS; i++) {
		const char *token = tokens[i];
		const bool target = is_in(runners, name);

		/* The rest is a program by itself. */
		if (script && (!strcmp(token, "-c") || !strcmp(token, "-e")))
			break;
		if (target && i + 1 < n && is_in(valued, token))
			i++;
		if (*token == '-' || !*token || !strcmp(token, "run"))
			continue;
		if (is_file(token)) {
			if (script && !operands) {
				add_file(r, token);
				add_words(r, program_name(token, r->a), true,
					  false);
				script = false;
			}
			continue;
		}
		script = false;
		if (!is_operand(token))
			continue;
		operands++;
		add_operand(r, token, target);
	}
}

/* The tokens of one program. */
struct tokens {
	const char *items[32];
	size_t n;
	struct buf word;
	bool open, quoted; /* a token has begun; a part of it is quoted */
};

static void end_token(struct tokens *t, struct arena *a)
{
	/* A quoted text is data, unless it is one word. */
	if (t->open && t->n < ARRAY_LEN(t->items) &&
	    !(t->quoted &&
	      (!t->word.len || strpbrk(buf_str(&t->word), " \t\n"))))
		t->items[t->n++] =
			arena_copy(a, buf_str(&t->word), t->word.len);
	buf_cut(&t->word, 0);
	t->open = t->quoted = false;
}

/* Read the quoted part at P. Return where it ends. */
static const char *read_quoted(struct tokens *t, const char *p)
{
	const char quote = *p++;

	t->open = t->quoted = true;
	for (; *p && *p != quote; p++) {
		if (*p == '\\' && quote == '"' && p[1])
			p++;
		buf_addc(&t->word, *p);
	}
	return *p ? p + 1 : p;
}

void command_read(struct command *c, const char *text, struct arena *a)
{
	struct reading r = {.c = c, .a = a};
	struct tokens t = {.n = 0};
	const char *p = text;

	*c = (struct command){.nwords = 0};
	while (*p && r.of < PROGRAMS) {
		if (*p == '\'' || *p == '"') {
			p = read_quoted(&t, p);
			continue;
		}
		/* The rest is data. */
		if (!strncmp(p, "<<", 2))
			break;
		if (strchr(" \t", *p)) {
			end_token(&t, a);
		} else if (strchr(";&|\n()`", *p)) {
			end_token(&t, a);
			read_program(&r, t.items, t.n);
			r.of += t.n > 0;
			t.n = 0;
		} else {
			p += *p == '\\' && p[1];
			t.open = true;
			buf_addc(&t.word, *p);
		}
		p++;
	}
	end_token(&t, a);
	if (t.n && r.of < PROGRAMS)
		read_program(&r, t.items, t.n);
	c->text = arena_copy(a, buf_str(&r.text), r.text.len);
	buf_release(&r.text);
	buf_release(&t.word);
	terms_release(&r.terms);
}

#define IN_TAGS SIZE_MAX

/* Where a text has the words of a command. */
struct places {
	const struct command *command;
	const char *text;
	size_t at
		[COMMAND_WORDS]; /* the last place of each, from 1; 0: none yet */
	size_t now, len;	 /* the place of the term before; of the text */
};

static bool are_near(size_t x, size_t y)
{
	return x == IN_TAGS || y == IN_TAGS ||
	       (x < y ? y - x : x - y) <= COMMAND_NEAR;
}

/* Return true if T, in the text of P, is the beginning of a name, as Git of GitHub or go
 * of go.mod. */
static bool begins_name(const struct places *p, const struct term *t)
{
	const char *next = p->text + t->end;

	if (t->start >= p->len || t->end >= p->len || t->whole)
		return false;
	return ascii_is_letter(*next) || (*next == '.' && t->end + 1 < p->len &&
					  ascii_is_letter(next[1]));
}

static bool is_word(const struct places *p, const struct command_word *w,
		    const struct term *t)
{
	return w->program ? w->word_len == t->word_len &&
				    !memcmp(w->word, t->word, t->word_len) &&
				    !begins_name(p, t)
			  : w->len == t->len && !memcmp(w->term, t->p, t->len);
}

/* Note the place of the term T. Return 1 if it ends a pair. */
static int note_place(void *ctx, const struct term *t)
{
	struct places *p = ctx;
	const struct command_word *words = p->command->words;

	p->now += !t->colocated;
	for (size_t i = 0; i < p->command->nwords; i++) {
		if (!is_word(p, &words[i], t))
			continue;
		p->at[i] = t->start < p->len ? p->now : IN_TAGS;
		for (size_t k = 0; k < p->command->nwords; k++) {
			if (k != i && p->at[k] && words[k].of == words[i].of &&
			    (words[k].program || words[i].program) &&
			    are_near(p->at[k], p->at[i]))
				return 1;
		}
	}
	return 0;
}

bool command_is_near(const struct command *c, const char *text, size_t len,
		     const char *const *tags, size_t ntags)
{
	struct places p = {.command = c, .text = text, .len = len};
	struct terms terms = {0};
	const int r =
		terms_document(&terms, text, len, tags, ntags, note_place, &p);

	terms_release(&terms);
	return r;
}
