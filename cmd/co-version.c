/* co-version: print the version and build information. */
#include "base/unicode.h"
#include "cli/cli.h"
#include "format/frontmatter.h"
#include "format/json-read.h"
#include "format/json-write.h"
#include "reader/reader.h"
#include "search/index.h"
#include "sys/execpath.h"
#include "text/match.h"

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

static bool json;

static const struct opt opts[] = {
	FLAG(0, "json", &json, "print one JSON object"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-version",
	.summary = "print version and build information",
	.opts = opts,
};

static void add_libraries(struct buf *out)
{
	void (*const all[])(struct buf *) = {json_library,  frontmatter_library,
					     match_library, unicode_library,
					     fts_library,   reader_library};

	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		if (i)
			buf_adds(out, ", ");
		all[i](out);
	}
}

/* Append one fact as a line for people, or as a member of the JSON object. */
static void add_fact(struct buf *out, const char *name, const char *value)
{
	if (!json) {
		buf_addf(out, "%-11s%s\n", name, value);
		return;
	}
	if (!out->len)
		json_write_open(out, NULL, '{');
	json_write_text(out, name, value);
}

int main(int argc, char **argv)
{
	const char *argv0 = argv[0];
	struct buf out = {0}, libraries = {0}, folder = {0};
	int n;

	cli_start(&cmd, argc, argv, &n);
	add_libraries(&libraries);
	add_fact(&out, "version", CO_VERSION);
	add_fact(&out, "compiler", COMPILER);
	add_fact(&out, "libraries", buf_str(&libraries));
	if (execpath_folder(&folder, argv0))
		add_fact(&out, "programs", folder.p);
	if (json)
		buf_adds(&out, "}\n");
	cli_out_text(out.p, out.len);
	buf_release(&out);
	buf_release(&libraries);
	buf_release(&folder);
	return cli_finish(0);
}
