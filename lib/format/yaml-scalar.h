/* yaml-scalar.h: what an unquoted YAML scalar means to its readers.
 *
 * We read by the core schema of YAML 1.2.  Readers of YAML 1.1 (PyYAML, older
 * Ruby and Go) take more for booleans and numbers: no, 1_000, 12:30:45.  What
 * we write means the same to both, timestamps aside, which stay bare.
 */
#ifndef CO_FORMAT_YAML_SCALAR_H
#define CO_FORMAT_YAML_SCALAR_H

#include "format/value.h"

/* Set OUT to the value that the plain scalar P of LEN bytes stands for.  P[LEN]
 * is a NUL; a string is borrowed from P; start and end are left alone. */
void yaml_scalar_resolve(const char *p, size_t len, struct value *out);

/* True if the string P, valid UTF-8, is read back as itself without quotes by
 * readers of YAML 1.2 and 1.1, between brackets with FLOW.  P[LEN] is a NUL. */
bool yaml_scalar_is_bare(const char *p, size_t len, bool flow);

/* True if character C cannot stand in YAML as itself, or is a line break. */
bool yaml_scalar_needs_escape(uint32_t c);

#endif
