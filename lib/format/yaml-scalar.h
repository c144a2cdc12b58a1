/* yaml-scalar.h: the value of an unquoted YAML scalar.
 *
 * We read by the core schema of YAML 1.2. Readers of YAML 1.1 (PyYAML, older
 * Ruby and Go) take more strings for booleans and numbers: no, 1_000, 12:30:45.
 * What we write means the same to both, except timestamps, which we do not
 * quote.
 */
#ifndef CO_FORMAT_YAML_SCALAR_H
#define CO_FORMAT_YAML_SCALAR_H

#include "format/value.h"

/* Set OUT to the value of the plain scalar P of LEN bytes; P[LEN] must be NUL.
 * A string is borrowed from P. Start and end of OUT are not changed. */
void yaml_scalar_resolve(const char *p, size_t len, struct value *out);

/* Return true if the string P, valid UTF-8 with P[LEN] NUL, can be written
 * without quotes, for readers of YAML 1.2 and 1.1. FLOW: inside brackets. */
bool yaml_scalar_is_bare(const char *p, size_t len, bool flow);

/* Return true if the character C is not allowed in YAML or is a line break. */
bool yaml_scalar_needs_escape(uint32_t c);

#endif
