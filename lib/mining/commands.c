/* commands.c: a line is a command if it has a prompt, or if its first word is a program
 * that people call for a project. */
#include "mining/commands.h"

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"

static const char programs[] =
	"ant apt apt-get autoreconf bash bazel brew bun bundle "
	"cabal cargo cd cmake composer ctest deno dnf docker "
	"docker-compose dotnet export foreman git gmake go "
	"goreman gradle hatch helm just kubectl mage make meson "
	"mix mkdir mvn ninja node nox npm npx phpunit pip pip3 "
	"pnpm poetry pre-commit pytest python python3 rake "
	"rspec ruff sbt scons sh source stack sudo swift task "
	"terraform tox uv vagrant yarn yum zig";

/* What changes a directory, gets the source, installs a program, or opens a file. */
static const char preparing[] =
	"apk apt apt-get brew cd choco cp dnf emacs export firefox git gvim ln "
	"ls mkdir mv nano open pacman pkg popd pushd source vagrant vi vim "
	"winget yum zypper";

/* What many programs are asked for: "npm run build". */
static const char usual[] =
	"--help --release --version build coverage dev fmt format lint pack "
	"publish run start test vet";

/* A line of a block of commands. */
enum line {
	LINE_BLANK, /* nothing, or a comment */
	LINE_TEXT,  /* no command */
	LINE_PREPARE, /* a command that changes a directory or installs something */
	LINE_COMMAND, /* an obvious command: "make", "npm run build" */
	LINE_WORDS    /* another one */
};

/* Return the length of the first word of the LEN bytes of P. */
static size_t first_word(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && !ascii_is_blank(p[n]))
		n++;
	return n;
}

/* Return true if the command P, whose first word has N bytes, only prepares: it changes
 * a directory, gets the source, or installs what anybody installs. An installation from
 * the work tree (`-e .`, `-r FILE`) is the project's own. */
static bool is_preparation(const char *p, size_t len, size_t n)
{
	bool sudo;

	do {
		if (strings_word_is_in(preparing, p, n))
			return true;
		sudo = strings_word_is_in("sudo", p, n);
		p += n;
		len -= n;
		utf8_strip(&p, &len);
		n = first_word(p, len);
	} while (sudo);
	return strings_word_is_in("install get mod add i ci clone", p, n) &&
	       !memmem(p, len, " -e", 3) && !memmem(p, len, " -r", 3) &&
	       !memmem(p, len, " .", 2);
}

/* Return true if ARGUMENTS, of LEN bytes, are only usual ones. */
static bool is_usual(const char *arguments, size_t len)
{
	while (len && strncmp(arguments, "&&", 2) != 0) {
		const size_t n = first_word(arguments, len);

		if (!strings_word_is_in(usual, arguments, n))
			return false;
		arguments += n;
		len -= n;
		utf8_strip(&arguments, &len);
	}
	return true;
}

/* Skip the name of a virtual environment before the prompt at *P: "(venv) $". */
static void skip_environment(const char **p, size_t *len)
{
	const char *end = **p == '(' ? memchr(*p, ')', *len) : NULL;

	if (!end || end + 1 == *p + *len || !strchr(" $", end[1]))
		return;
	*len -= (size_t)(end + 1 - *p);
	*p = end + 1;
	utf8_strip(p, len);
}

/* Return true if P, whose first word has N bytes, may be a command of any program. */
static bool may_be_command(const char *p, size_t n)
{
	return n > 1 && (ascii_is_lower(p[0]) || !strncmp(p, "./", 2)) &&
	       strcspn(p, "=,:;\"'(){}") >= n;
}

/* Judge a line. SHELL: it is in a block whose info string names a shell, or after
 * "run". */
static enum line judge_line(const char *p, size_t len, bool shell)
{
	size_t n;
	bool prompt;

	utf8_strip(&p, &len);
	if (!len || p[0] == '#')
		return LINE_BLANK;
	skip_environment(&p, &len);
	prompt = len > 2 && strchr("$%>", p[0]) && p[1] == ' ';
	if (prompt) {
		p += 2;
		len -= 2;
	}
	/* Variables may precede the program. */
	for (n = first_word(p, len); n < len && memchr(p, '=', n);
	     n = first_word(p, len)) {
		p += n + 1;
		len -= n + 1;
	}
	if (!prompt && !strings_word_is_in(programs, p, n) &&
	    (n < 3 || strncmp(p, "./", 2) != 0) &&
	    !(shell && may_be_command(p, n)))
		return LINE_TEXT;
	/* Where a command must be called is worth knowing: "cd cmd/pool". */
	if (n == 2 && !memcmp(p, "cd", 2) && memchr(p, '/', len) &&
	    !memmem(p, len, "/path/", 6))
		return LINE_COMMAND;
	if (is_preparation(p, len, n))
		return LINE_PREPARE;
	p += n;
	len -= n;
	utf8_strip(&p, &len);
	return is_usual(p, len) ? LINE_COMMAND : LINE_WORDS;
}

/* Return true if the info string of B names a shell, in any case. */
static bool is_shell(const struct block *b)
{
	char name[16];
	const size_t n = first_word(b->text, b->text_len);

	for (size_t i = 0; i < n && i < sizeof(name); i++)
		name[i] = ascii_lower(b->text[i]);
	return n && n <= sizeof(name) &&
	       strings_word_is_in("sh bash shell zsh console terminal "
				  "shell-session shellsession sh-session",
				  name, n);
}

/* Return true if the code of B in P is commands, more than preparations and one obvious
 * command. */
static bool is_command_code(const struct block *b, const char *p)
{
	const char *at = p + b->start, *end = at + b->len;
	const bool shell = b->kind == BLOCK_FENCED && is_shell(b);
	size_t lines = 0, commands = 0, own = 0;

	for (size_t n; at < end; at += n + 1) {
		enum line line;

		n = 0;
		while (at + n < end && at[n] != '\n')
			n++;
		if (b->kind == BLOCK_FENCED && n >= 3 &&
		    (strchr("`~", *at) || (at + n >= end)))
			continue; /* the fence */
		line = judge_line(at, n, shell);
		lines += line != LINE_BLANK;
		commands += line >= LINE_PREPARE;
		own += line == LINE_WORDS ? 2 : line == LINE_COMMAND;
	}
	return own > 1 && commands * 2 > lines;
}

/* How a text tells a reader to call a command. */
enum call {
	CALL_NONE,
	CALL_USE, /* "use", or nothing: it may be a name */
	CALL_RUN  /* "run" */
};

/* Judge the N bytes before the `command` at END: nothing or the marker of a list item, or
 * "run", "use the" and the like. */
static enum call judge_call(const char *end, size_t n)
{
	static const char run[] = "run running rerun execute executing";
	static const char use[] = "call calling type typing use using";
	char word[16];
	size_t len = 0;

	while (n && strchr(" \t\n", end[-1])) {
		end--;
		n--;
	}
	while (len < n && ascii_is_letter(end[-1 - (ptrdiff_t)len]))
		len++;
	if (!len)
		return n < 4 || end[-1] == ':' ? CALL_USE : CALL_NONE;
	for (size_t i = 0; i < len && i < sizeof(word); i++)
		word[i] = ascii_lower(end[(ptrdiff_t)i - (ptrdiff_t)len]);
	if (len == 3 && !memcmp(word, "the", 3))
		return judge_call(end - len, n - len);
	if (len < sizeof(word) && strings_word_is_in(run, word, len))
		return CALL_RUN;
	return len < sizeof(word) && strings_word_is_in(use, word, len)
		       ? CALL_USE
		       : CALL_NONE;
}

/* Return true if the text of B in P has a command with arguments between backquotes, and
 * tells a reader to call it. */
static bool has_inline_command(const struct block *b, const char *p)
{
	const char *at = p + b->start, *end = at + b->len;

	while ((at = memchr(at, '`', (size_t)(end - at)))) {
		const char *close;
		const enum call call =
			judge_call(at, (size_t)(at - p) - b->start);

		while (at < end && *at == '`')
			at++;
		close = memchr(at, '`', (size_t)(end - at));
		if (!close)
			return false;
		/* `tox <https://...>` is a link. */
		if (call && strncmp(at, "sudo ", 5) != 0 &&
		    !memmem(at, (size_t)(close - at), "://", 3) &&
		    judge_line(at, (size_t)(close - at), call == CALL_RUN) ==
			    LINE_WORDS)
			return true;
		for (at = close; at < end && *at == '`';)
			at++;
	}
	return false;
}

/* Return true if the info string of B names no language. */
static bool is_unnamed(const struct block *b)
{
	return !b->text_len ||
	       strings_word_is_in("text txt plain none", b->text,
				  first_word(b->text, b->text_len));
}

bool commands_in(const struct block *b, const char *p)
{
	switch (b->kind) {
	case BLOCK_FENCED:
		return !b->open && (is_shell(b) || is_unnamed(b)) &&
		       is_command_code(b, p);
	case BLOCK_INDENTED:
		return is_command_code(b, p);
	case BLOCK_TEXT:
		return has_inline_command(b, p);
	default:
		return false;
	}
}
