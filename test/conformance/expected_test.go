//go:build conformance

package conformance

// revisions are the requirement sets that the suite is run for.
var revisions = []string{"2025-11-25", "2026-07-28"}

// expected are the scenarios of a revision that must pass, each with the least number
// of checks that must be a success. The number is there because a scenario that nothing
// was checked in passes, too.
func expected(revision string) map[string]int {
	if revision == "2025-11-25" {
		return map[string]int{
			"initialize":                          1,
			"tools_call":                          2,
			"elicitation-sep1034-client-defaults": 5,
			"sse-retry":                           3,
			"json-schema-2020-12-preservation":    9,
		}
	}
	return map[string]int{
		"tools_call":                       2,
		"request-metadata":                 6,
		"sep-2322-client-request-state":    5,
		"http-standard-headers":            10,
		"http-custom-headers":              18,
		"http-invalid-tool-headers":        12,
		"json-schema-ref-no-deref":         1,
		"json-schema-2020-12-preservation": 9,
	}
}

// signIn are the scenarios that begin with a sign-in, which Kontor asks for and does
// not do yet.
func signIn(revision string) []string {
	both := []string{
		"auth/metadata-default", "auth/metadata-var1", "auth/metadata-var2", "auth/metadata-var3",
		"auth/basic-cimd",
		"auth/scope-from-www-authenticate", "auth/scope-from-scopes-supported", "auth/scope-omitted-when-undefined",
		"auth/scope-step-up", "auth/scope-retry-limit",
		"auth/token-endpoint-auth-basic", "auth/token-endpoint-auth-post", "auth/token-endpoint-auth-none",
		"auth/pre-registration",
		"auth/client-credentials-jwt", "auth/client-credentials-basic", "auth/enterprise-managed-authorization",
		"auth/dpop", "auth/dpop-nonce", "auth/wif-jwt-bearer",
	}
	if revision == "2025-11-25" {
		return both
	}
	return append(both,
		"auth/resource-mismatch", "auth/offline-access-scope", "auth/offline-access-not-supported",
		"auth/authorization-server-migration",
		"auth/iss-supported", "auth/iss-not-advertised", "auth/iss-supported-missing", "auth/iss-wrong-issuer",
		"auth/iss-unexpected", "auth/iss-normalized", "auth/metadata-issuer-mismatch",
	)
}
