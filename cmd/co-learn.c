/* co-learn: save a text, a page or a file. */
#include "agent/context.h"
#include "base/date.h"
#include "cli/choose.h"
#include "cli/out.h"
#include "cli/saving.h"
#include "cli/stores.h"
#include "learn/learn.h"
#include "store/save.h"
#include "sys/dirs.h"

static struct strings tags, cites;
static struct cli_keys keys;
static bool global, always, force, json, allow_secret;
static bool as_text, dry, yes, allow_private;
static const char *automatic, *replaces, *source, *created;

static const struct opt opts[] = {
	{OPT_TAGS, 't', "tag", &tags, "TAG", NULL,
	 "add TAG to the memory; may be given again"},
	{OPT_STR, 0, "source", &source, "SOURCE", NULL,
	 "set its source; default: user-told"},
	{OPT_STR, 0, "created", &created, "DATE", NULL,
	 "set its time; default: now"},
	FLAG(0, "global", &global,
	     "save it in the user's store, for every project"),
	FLAG(0, "always", &always,
	     "add it to the context that every session loads"),
	{OPT_SWITCH, 0, "auto", &automatic, NULL, NULL,
	 "turn automatic harvests of ended sessions on or off"},
	{OPT_STR, 0, "replaces", &replaces, "ID|WORDS", NULL,
	 "replace the memory ID, or that has WORDS; several: 3,7"},
	OPT_CITE(&cites),
	OPT_KEYS(&keys),
	FLAG(0, "force", &force,
	     "save it even if it is known, or names a file"),
	OPT_ALLOW_SECRET(&allow_secret, "save"),
	FLAG(0, "json", &json, "print the display text, path and id as JSON"),
	FLAG(0, "text", &as_text,
	     "save a URL or a path itself, not its contents"),
	FLAG(0, "allow-private", &allow_private,
	     "allow addresses of this machine and of the local network"),
	OPT_DRY_RUN(&dry),
	FLAG('y', "yes", &yes, "keep the page or file without asking"),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-learn",
	.summary = "save a text, a page or a file",
	.synopsis = "[-t TAG]... [--source=SOURCE] [--created=DATE] "
		    "[--global] [--replaces=ID|WORDS] [--cite=PLACE]... "
		    "[--expires=DATE] [--review-after=DATE] [--sensitive] "
		    "[--language=NAME]... [--path=GLOB]... [--force] "
		    "[--allow-secret] [--json] [--text] [-q] [TEXT...|-]\n"
		    "[-t TAG]... [--global] [--allow-private] "
		    "[--allow-secret] [--json] [-n] [-y] [-q] URL|./FILE...\n"
		    "--always [--global] [--allow-secret] [-q] [TEXT...|-]\n"
		    "--auto[=false]",
	.operands = "[TEXT...|-]",
	.input = "the text, where no TEXT is given or it is -",
	.opts = opts,
	.habits = (const char *const[]){"-m", "co learn TEXT", NULL},
};

static struct store store;

static int add_to_context(const struct buf *text, struct err *e)
{
	static struct buf path;
	int r = context_learn(&store, buf_str(text), text->len, &path, e);

	if (r < 0)
		return -1;
	cli_make_store(&store);
	cli_outf("%s\nLocation: %s\n",
		 r ? "✓ Every session will know it" : "Known already",
		 dirs_shown_path(path.p));
	return 0;
}

static int add_memory(const struct buf *text, struct err *e)
{
	struct store_new new = {.content = buf_str(text),
				.len = text->len,
				.tags = tags.items,
				.ntags = tags.n,
				.typed = true,
				.keep_tags = true,
				.source = source,
				.created = created,
				.replaces = replaces};
	struct record r;
	int known;

	cli_keys_add(&keys, &new, &cli_arena);
	if (cli_cite(&store, &cites, &new, &cli_arena, e) < 0)
		return -1;
	if (!force && !json && !replaces &&
	    cli_confirm_save(&store, &new, &cli_arena, &new.replaces) ==
		    CONFIRM_DECLINED)
		return err_set(e, ERR_NO, "nothing was saved");
	new.when = force ? SAVE_ALWAYS : SAVE_UNLESS_EQUAL;
	known = save_memory(&store, &new, &cli_arena, &r, e);
	if (known < 0)
		return -1;
	cli_make_store(&store);
	if (json && !force && !known && !replaces)
		cli_confirm_saved(&store, &r, &cli_arena);
	out_saved(&r, known ? "Already saved as memory" : "✓ Saved memory",
		  json);
	if (known != 1 && new.replaces && !json)
		cli_confirm_replaced(&store, &r, &cli_arena);
	if (known == 1 && (replaces || cites.n))
		cli_note("nothing was %s", replaces ? "replaced" : "cited");
	return 0;
}

static int learn_text(const struct buf *text, struct err *e)
{
	return always ? add_to_context(text, e) : add_memory(text, e);
}

static int learn_given(char **operands, int n)
{
	const bool input = !n || (n == 1 && !strcmp(operands[0], "-"));
	struct buf text = {0};
	struct err e;

	if (!input)
		cli_join(&text, operands);
	else if (file_read_path("-", STORE_FILE_MAX, &text, &e) < 0)
		cli_die(&e);
	if (learn_text(&text, &e) < 0)
		learn_failed(&store, buf_str(&text), replaces, &e);
	buf_release(&text);
	return ERR_NONE;
}

/* Return the first option given that goes with a memory only, or NULL. */
static const char *memory_option(void)
{
	return replaces	 ? "--replaces"
	       : cites.n ? "--cite"
	       : source	 ? "--source"
	       : created ? "--created"
			 : cli_keys_given(&keys);
}

static int learn_operands(char **operands, int n)
{
	const struct learn_article l = {.store = &store,
					.tags = &tags,
					.yes = yes,
					.dry = dry,
					.allow_private = allow_private,
					.json = json};
	const bool text = always || force || as_text;

	if (!text && learn_article_is_meant(operands)) {
		if (memory_option())
			cli_usage("%s cannot be used with a URL or a ./FILE",
				  memory_option());
		return learn_article_each(&l, operands);
	}
	if (yes || dry || allow_private)
		learn_article_refuse(operands, n);
	if (!force && !as_text)
		cli_confirm_is_text(operands);
	return !n && cli_on_terminal()
		       ? learn_from_editor(!always, &tags, &source, &cli_arena,
					   learn_text)
		       : learn_given(operands, n);
}

int main(int argc, char **argv)
{
	char when[INSTANT_TEXT];
	int n, status;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (automatic)
		return learn_auto_set(automatic, !n && argc == 2);
	if (always && (tags.n || memory_option() || force || json))
		cli_usage("--always cannot be used with %s",
			  tags.n	    ? "-t"
			  : memory_option() ? memory_option()
			  : force	    ? "--force"
					    : "--json");
	created = created ? date_utc(created, when) : NULL;
	replaces = replaces ? cli_choose_value(replaces, global) : NULL;
	cli_open_store(&store, global || cli_is_global(replaces));
	store_allow_secret(&store, allow_secret);
	status = learn_operands(operands, n);
	store_close(&store);
	return cli_finish(status);
}
