/* co-harvest-scan: classify conversations for harvesting. */
#include "cli/out.h"
#include "format/json-write.h"
#include "harvest/harvest.h"

#include <inttypes.h>

static bool json;

static const struct opt opts[] = {
	FLAG(0, "json", &json, "print JSON objects, one a line"),
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-harvest-scan",
	.summary = "list which conversations can be harvested",
	.operands = "[PATH...]",
	.input = "paths of conversations, where no PATH is given or it is -",
	.opts = opts,
};

static struct harvest_scan scan = {.a = &cli_arena};

static void print_artifact(const struct artifact *it)
{
	struct buf out = {0};

	if (json) {
		json_write_open(&out, NULL, '{');
		json_write_text(&out, "path", it->path);
		json_write_text(&out, "kind", harvest_scan_kind_name(it->kind));
		json_write_text(&out, "class",
				harvest_scan_class_name(it->class));
		json_write_text(&out, "reason", it->reason);
		json_write_size(&out, "size_bytes", (size_t)it->size);
		out_json(&out);
	} else {
		buf_adds(&out, harvest_scan_class_name(it->class));
		buf_addf(&out, "\t%" PRIu64 "\t", it->size);
		buf_adds(&out, it->path);
		buf_addc(&out, '\t');
		buf_adds(&out, it->reason);
		buf_addc(&out, '\n');
		out_buf(&out);
	}
}

/* A cli_fn that scans PATH and prints what it finds. CTX is the list of
 * operands; a path that is not one of them came from standard input. */
static int scan_path(void *ctx, const char *path, struct err *e)
{
	char **operands = ctx;
	const size_t before = scan.n;
	bool named = false;

	for (; *operands; operands++)
		named = named || !strcmp(*operands, path);
	if (harvest_scan_add(&scan, path, named, e) < 0)
		return -1;
	for (size_t i = before; i < scan.n; i++)
		print_artifact(&scan.items[i]);
	return 0;
}

int main(int argc, char **argv)
{
	int n;
	char **operands = cli_start(&cmd, argc, argv, &n);

	cli_each(operands, false, scan_path, operands);
	harvest_scan_release(&scan);
	return cli_finish(0);
}
