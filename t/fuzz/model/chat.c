/* chat.c: any bytes as the answer of a server. The first line chooses the
 * protocol, the rest is the answer.
 *
 * Properties: an answer gives a reply in UTF-8, or is refused with a message;
 * an answer in pieces gives the same result as a whole one.
 */
#include "../fuzz.h"

#include "base/utf8.h"
#include "model/chat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = size ? (const char *)data : "";
	struct arena a = {0};
	size_t line;
	const char *first = fuzz_line(&p, &size, &line, &a);
	const char *protocol = *first == 'a' ? "anthropic" : "openai";
	struct chat whole = chat_new(protocol, "m");
	struct chat parts = chat_new(protocol, "m");
	struct buf answer = {0}, piece = {0};
	struct err e, why;
	int r, broken = 0;

	buf_add(&answer, p, size);
	r = chat_end(&whole, &answer, &e);
	if (r < 0)
		must_be_error(&e);
	else
		must(whole.reply.len > 0, "a reply is not empty");
	must(utf8_check(buf_str(&whole.reply), whole.reply.len) ==
		     whole.reply.len,
	     "a reply is UTF-8");
	for (size_t i = 0; i < size && !broken; i++) {
		buf_addc(&piece, p[i]);
		broken = chat_step(&parts, &piece, &why);
	}
	if (!broken)
		broken = chat_end(&parts, &answer, &why);
	must(r == broken, "an answer in pieces has the same status");
	if (r == 0)
		must(parts.reply.len == whole.reply.len &&
			     !memcmp(parts.reply.p, whole.reply.p,
				     whole.reply.len),
		     "an answer in pieces has the same text");
	chat_release(&whole);
	chat_release(&parts);
	buf_release(&answer);
	buf_release(&piece);
	arena_release(&a);
	return 0;
}
