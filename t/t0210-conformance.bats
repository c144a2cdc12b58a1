#!/usr/bin/env bats
# External test suites. YAML_TEST_SUITE names a checkout of the branch `data` of
# yaml-test-suite, JSON_TEST_SUITE a checkout of JSONTestSuite.
load lib

@test "frontmatter-parse passes the YAML test suite" {
	[ -n "${YAML_TEST_SUITE:-}" ] || skip 'YAML_TEST_SUITE is not set'
	"$CO_SOURCE/t/conformance/yaml" "$CO_BIN" "$YAML_TEST_SUITE"
}

@test "the JSON reader passes JSONTestSuite" {
	[ -n "${JSON_TEST_SUITE:-}" ] || skip 'JSON_TEST_SUITE is not set'
	"$CO_SOURCE/t/conformance/json" "$CO_BIN" "$JSON_TEST_SUITE"
}
