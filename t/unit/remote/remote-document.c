/* remote-document.c: the JSON and the hash of a document, and digests of many. */
#include "../expect.h"

#include "remote/remote-document.h"

static const char *const names[] = {"one", "two words"};

static const struct remote_document document = {
	.kind = RECORD_ARTICLE,
	.path = "knowledge/articles/a.md",
	.order = 2,
	.created = "2026-02-09T14:30:00.5Z",
	.expires = "",
	.title = "Title > \"Heading\"",
	.tags = (const char **)(uintptr_t)names,
	.ntags = 2,
	.text = "line\n\0end",
	.len = 9,
};

static void test_document(void)
{
	struct arena a = {0};
	struct buf json = {0}, again = {0};
	char hash[SHA256_HEX], second[SHA256_HEX];
	struct remote_document d;
	struct value v;
	struct err e;

	remote_document_write(&json, &document, hash);
	expect(!strcmp(json.p,
		       "{\"kind\":\"section\",\"id\":0,"
		       "\"path\":\"knowledge/articles/a.md\",\"order\":2,"
		       "\"created\":\"2026-02-09T14:30:00.5Z\",\"expires\":"
		       "\"\","
		       "\"source\":null,\"title\":\"Title > \\\"Heading\\\"\","
		       "\"tags\":[\"one\",\"two words\"],"
		       "\"text\":\"line\\n\xEF\xBF\xBD"
		       "end\"}"),
	       "the canonical JSON has all members in order");
	expect(json_parse(json.p, json.len, &a, &v, &e) == 0 &&
		       remote_document_read(&d, &v, &a, &e) == 0,
	       "the document is read");
	remote_document_write(&again, &d, second);
	expect(again.len == json.len && !memcmp(again.p, json.p, json.len) &&
		       !strcmp(hash, second),
	       "writing it again gives the same bytes and hash");
	expect(!strcmp(remote_document_kind(d.kind), "section") &&
		       remote_document_kind_of("section") == RECORD_ARTICLE &&
		       remote_document_kind_of("turn") == RECORD_KINDS,
	       "a kind has a name");
	for (size_t i = 0; i < v.u.map.n; i++) {
		const struct value was = v.u.map.pairs[i].val;

		v.u.map.pairs[i].val = (struct value){.kind = VALUE_BOOL};
		expect(remote_document_read(&d, &v, &a, &e) < 0,
		       "a member of another type is refused");
		v.u.map.pairs[i].val = was;
	}
	buf_release(&json);
	buf_release(&again);
	arena_release(&a);
}

static void test_digest(void)
{
	static const char high[] = "ffffffffffffffffffffffffffffffff"
				   "ffffffffffffffffffffffffffffffff",
			  low[] = "00000000000000000000000000000000"
				  "00000000000000000000000000000002",
			  sum[] = "00000000000000000000000000000000"
				  "00000000000000000000000000000001",
			  none[] = "00000000000000000000000000000000"
				   "00000000000000000000000000000000";
	struct remote_digest x = {{0}}, y = {{0}};
	char hex[SHA256_HEX];

	expect(remote_digest_add(&x, high) && remote_digest_add(&x, low) &&
		       !strcmp(remote_digest_text(&x, hex), sum),
	       "a sum wraps around");
	expect(remote_digest_add(&y, low) && remote_digest_add(&y, high) &&
		       !memcmp(&x, &y, sizeof(x)),
	       "a sum does not depend on the order");
	expect(remote_digest_subtract(&x, low) &&
		       !strcmp(remote_digest_text(&x, hex), high) &&
		       remote_digest_subtract(&x, high) &&
		       !strcmp(remote_digest_text(&x, hex), none),
	       "a hash can be subtracted");
	expect(!remote_digest_add(&x, "") && !remote_digest_add(&x, high + 1) &&
		       !remote_digest_subtract(&x, "g") &&
		       !strcmp(remote_digest_text(&x, hex), none),
	       "a text that is not a hash is refused");
}

static const struct unit_test tests[] = {
	{"a document is read as it was written, with an equal hash",
	 test_document},
	{"a digest is a sum of hashes, in any order", test_digest},
};

int main(void)
{
	return unit_run(tests, ARRAY_LEN(tests));
}
