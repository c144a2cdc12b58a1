#!/usr/bin/env bats
# Suites of others, run where they lie: YAML_TEST_SUITE names a checkout of
# yaml-test-suite's branch `data`, JSON_TEST_SUITE one of JSONTestSuite.
load lib

@test "frontmatter reads the YAML test suite as it should be read" {
	[ -n "${YAML_TEST_SUITE:-}" ] || skip 'YAML_TEST_SUITE is not set'
	"$CO_SOURCE/t/conformance/yaml" "$CO_BIN" "$YAML_TEST_SUITE"
}

@test "JSONTestSuite is taken and refused as it says" {
	[ -n "${JSON_TEST_SUITE:-}" ] || skip 'JSON_TEST_SUITE is not set'
	"$CO_SOURCE/t/conformance/json" "$CO_BIN" "$JSON_TEST_SUITE"
}
