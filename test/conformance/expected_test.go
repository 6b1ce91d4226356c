//go:build conformance

package conformance

// backcompat is the suite of servers that sign in by the rules of 2025-03-26.
const backcompat = "backcompat"

// revisions are the requirement sets that the suite is run for.
func revisions() []string { return []string{"2025-11-25", "2026-07-28", backcompat} }

// expected are the scenarios of a revision that must pass, each with the least number
// of checks that must be a success. The number is there because a scenario that nothing
// was checked in passes, too. It is a few lower than what was counted: how often some
// checks repeat is a matter of time.
func expected(revision string) map[string]int {
	if revision == backcompat {
		return map[string]int{
			"auth/2025-03-26-oauth-metadata-backcompat": 9,
			"auth/2025-03-26-oauth-endpoint-fallback":   7,
		}
	}
	if revision == "2025-11-25" {
		return map[string]int{
			"initialize":                            1,
			"tools_call":                            2,
			"elicitation-sep1034-client-defaults":   5,
			"sse-retry":                             3,
			"json-schema-2020-12-preservation":      9,
			"auth/metadata-default":                 15,
			"auth/metadata-var1":                    15,
			"auth/metadata-var2":                    15,
			"auth/metadata-var3":                    15,
			"auth/basic-cimd":                       10,
			"auth/scope-from-www-authenticate":      11,
			"auth/scope-from-scopes-supported":      11,
			"auth/scope-omitted-when-undefined":     11,
			"auth/scope-step-up":                    19,
			"auth/scope-retry-limit":                22,
			"auth/token-endpoint-auth-basic":        16,
			"auth/token-endpoint-auth-post":         16,
			"auth/token-endpoint-auth-none":         16,
			"auth/pre-registration":                 10,
			"auth/client-credentials-jwt":           8,
			"auth/client-credentials-basic":         8,
			"auth/enterprise-managed-authorization": 6,
			"auth/dpop":                             8,
			"auth/dpop-nonce":                       10,
			"auth/wif-jwt-bearer":                   8,
		}
	}
	return map[string]int{
		"tools_call":                            2,
		"request-metadata":                      6,
		"sep-2322-client-request-state":         5,
		"http-standard-headers":                 10,
		"http-custom-headers":                   18,
		"http-invalid-tool-headers":             12,
		"json-schema-ref-no-deref":              1,
		"json-schema-2020-12-preservation":      9,
		"auth/metadata-default":                 14,
		"auth/metadata-var1":                    14,
		"auth/metadata-var2":                    14,
		"auth/metadata-var3":                    14,
		"auth/basic-cimd":                       8,
		"auth/scope-from-www-authenticate":      10,
		"auth/scope-from-scopes-supported":      10,
		"auth/scope-omitted-when-undefined":     10,
		"auth/scope-step-up":                    21,
		"auth/scope-retry-limit":                23,
		"auth/token-endpoint-auth-basic":        15,
		"auth/token-endpoint-auth-post":         15,
		"auth/token-endpoint-auth-none":         15,
		"auth/pre-registration":                 8,
		"auth/client-credentials-jwt":           6,
		"auth/client-credentials-basic":         6,
		"auth/enterprise-managed-authorization": 7,
		"auth/dpop":                             9,
		"auth/dpop-nonce":                       11,
		"auth/wif-jwt-bearer":                   6,
		"auth/resource-mismatch":                2,
		"auth/offline-access-scope":             11,
		"auth/offline-access-not-supported":     10,
		"auth/authorization-server-migration":   24,
		"auth/iss-supported":                    10,
		"auth/iss-not-advertised":               10,
		"auth/iss-supported-missing":            7,
		"auth/iss-wrong-issuer":                 7,
		"auth/iss-unexpected":                   7,
		"auth/iss-normalized":                   7,
		"auth/metadata-issuer-mismatch":         2,
	}
}
