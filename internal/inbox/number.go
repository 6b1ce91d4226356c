package inbox

import (
	"math/big"
	"strings"
)

// number writes a limit as a person would: exact, without a fraction bar.
func number(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(12), "0")
}
