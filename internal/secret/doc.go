// Package secret keeps what must not be seen. It owns the key and sealing with
// it, the expansion of `${VAR}` references, and the masking of known secrets in
// text. It refuses to know where sealed bytes lie, which settings hold
// references, and who writes logs.
package secret

import "kontor.dev/kontor/internal/model"

// CodeKey says that sealed values can't be read or written: the key is missing,
// wrong or unreadable.
const CodeKey model.Code = "key_unavailable"
