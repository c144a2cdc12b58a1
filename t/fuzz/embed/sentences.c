/* sentences.c: the installed encoder with some bytes changed, and a text. The
 * input is changes, each with an offset (3 bytes), a length (1 byte) and the
 * new bytes; then, after a length of 0, the text. Half of the inputs get valid
 * checksums, as in a hostile file.
 *
 * Properties: reading ends and stays inside the file (the sanitizers check
 * that); a text has a vector of length 1, or none, or the file is reported as
 * damaged.
 */
#include "../fuzz.h"

#include "base/hash.h"
#include "embed/sentences.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#define SIZE_MOST ((size_t)16 << 20)
#define LINE 64
#define CHANGES 8
#define TEXT_MOST 200

static char path[] = "/tmp/co-fuzz-sentences-XXXXXX";
static struct buf model;
static int fd = -1;

static void remove_file(void)
{
	close(fd);
	unlink(path);
	buf_release(&model);
}

/* Read the encoder, and write a copy of it. */
static void copy_model(void)
{
	const char *source = getenv("CO_SOURCE");
	struct buf name = {0};
	int from;
	ssize_t n;

	buf_addf(&name, "%s/contrib/models/minilm.bin", source ? source : ".");
	buf_grow(&model, SIZE_MOST);
	from = open(name.p, O_RDONLY);
	n = from < 0 ? -1 : read(from, model.p, SIZE_MOST);
	must(n > 0, "the encoder is read");
	model.len = (size_t)n;
	close(from);
	buf_release(&name);
	fd = mkstemp(path);
	must(fd >= 0 && write(fd, model.p, model.len) == (ssize_t)model.len,
	     "the file is written");
	atexit(remove_file);
}

/* Write the LEN bytes of P to the file at AT. */
static void put(const void *p, size_t len, size_t at)
{
	must(pwrite(fd, p, len, (off_t)at) == (ssize_t)len,
	     "the file is written");
}

static uint32_t get32(const char *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof(n));
	return n;
}

static size_t round_up(size_t n)
{
	return (n + LINE - 1) / LINE * LINE;
}

/* Correct the hash of the section with byte AT of B, and the hash of the
 * header. */
static void mend(struct buf *b, size_t at)
{
	const size_t pieces = get32(b->p + 12), bytes = get32(b->p + 16);
	const size_t sections = 8 + (pieces + 63) / 64;
	const size_t small = 64 * (192 + 24);
	size_t from = round_up(LINE + sections * 8), to, i = 0;
	uint64_t hash;
	char *known;

	for (; i < sections && from < b->len; i++, from = to) {
		to = i == 0   ? from + 65536 * 2 + (pieces + 1) * 4 + bytes
		     : i == 1 ? from + 256 * 384 * 2 + 384 * 8
		     : i < 8  ? from + 384 * 4608 / 16 * 9 + 4992 * 4
			      : from + small;
		to = round_up(to);
		to = to < b->len ? to : b->len;
		if (at < from || at >= to)
			continue;
		hash = hash_words(b->p + from, to - from, 0);
		memcpy(b->p + LINE + i * 8, &hash, sizeof(hash));
		put(b->p + LINE + i * 8, 8, LINE + i * 8);
	}
	if (LINE + sections * 8 > b->len)
		return;
	known = mem_alloc(LINE - 8 + sections * 8);
	memcpy(known, b->p, LINE - 8);
	memcpy(known + LINE - 8, b->p + LINE, sections * 8);
	hash = hash_bytes(known, LINE - 8 + sections * 8, 0);
	memcpy(b->p + LINE - 8, &hash, sizeof(hash));
	put(b->p, LINE, 0);
	free(known);
}

static void encode(const char *text, size_t len)
{
	float v[SENTENCES_DIMENSION];
	struct sentences *m;
	double sum = 0;
	struct err e;
	int r = sentences_open(path, &m, &e);

	must(r != 0, "the file is opened");
	if (r < 0) {
		must_be_error(&e);
		return;
	}
	r = sentences_encode(m, text, len < TEXT_MOST ? len : TEXT_MOST, v, &e);
	for (size_t i = 0; r >= 0 && i < SENTENCES_DIMENSION; i++)
		sum += (double)v[i] * (double)v[i];
	if (r < 0)
		must_be_error(&e);
	else
		must(r ? fabs(sum - 1) < 1e-3 : !(sum > 0),
		     "a vector has length 1");
	sentences_close(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t places[CHANGES], lengths[CHANGES], n = 0, at = 1;
	static struct buf changed;

	if (!model.len) {
		copy_model();
		buf_add(&changed, model.p, model.len);
	}
	for (; n < CHANGES && at + 4 <= size && data[at + 3]; n++) {
		size_t len = data[at + 3];

		places[n] = ((size_t)data[at] << 16 |
			     (size_t)data[at + 1] << 8 | data[at + 2]) %
			    model.len;
		at += 4;
		len = len < size - at ? len : size - at;
		len = len < model.len - places[n] ? len : model.len - places[n];
		memcpy(changed.p + places[n], data + at, len);
		put(data + at, len, places[n]);
		lengths[n] = len;
		at += len;
	}
	for (size_t i = 0; size && *data & 1 && i < n; i++)
		mend(&changed, places[i]);
	at = at + 4 < size ? at + 4 : size;
	encode((const char *)data + at, size - at);
	/* Undo all changes. */
	for (size_t i = 0; i < n; i++) {
		memcpy(changed.p + places[i], model.p + places[i], lengths[i]);
		put(model.p + places[i], lengths[i], places[i]);
	}
	memcpy(changed.p, model.p, LINE * 80);
	put(model.p, LINE * 80, 0);
	return 0;
}
