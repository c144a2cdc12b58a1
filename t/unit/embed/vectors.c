/* vectors.c: vectors from another machine may be malformed. */
#include "embed/vectors.h"

#include "../expect.h"

#define NUMBERS 4
#define AGAIN 100000

/* Repeated rows of one document must not write beyond the list of rows. */
static void test_repeated(void)
{
	static const float query[NUMBERS] = {1, 0, 0, 0};
	static const char numbers[NUMBERS] = {100, 3, 0, 0};
	static const uint32_t documents[] = {7};
	float cosine = 0;
	struct vectors *v = vectors_new(NUMBERS);
	const struct vectors_part part = {v, documents, 1, &cosine};

	for (int i = 0; i < AGAIN; i++)
		vectors_put(v, 7, numbers);
	vectors_compare(&part, 1, query, NUMBERS);
	expect(cosine <= 1, "the document has a cosine");
	vectors_close(v);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"a document has one vector even if it was sent many times",
		 test_repeated},
	};

	return unit_run(tests, ARRAY_LEN(tests));
}
