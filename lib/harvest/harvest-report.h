/* harvest-report.h: what co harvest says it would do, or did. */
#ifndef CO_HARVEST_HARVEST_REPORT_H
#define CO_HARVEST_HARVEST_REPORT_H

#include "harvest/harvest.h"

struct harvest_report {
	const struct scan *scan;
	const struct harvest *done; /* NULL: it would */
	bool unharvested;
	const char *provider; /* of the model; "none" where none is set */
	double price;	 /* of a million tokens that are read; 0: not known */
	uint64_t tokens; /* that a model would read, about */
	const char *root, *ledger, *digest; /* paths; the last may be NULL */
};

/* Set the tokens of R: of an agent's record, what was said in it.  A candidate that
 * cannot be read is reported and counts whole.  Reads all candidates. */
void harvest_report_measure(struct harvest_report *r,
			    const struct report *report);

/* Append it as text, or as one JSON object. */
void harvest_report_text(struct buf *out, const struct harvest_report *r);
void harvest_report_json(struct buf *out, const struct harvest_report *r);

#endif
