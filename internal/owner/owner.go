// Package owner has Pass, the proof that a caller of the engine is package board, which owns the reserved keys. Other modules cannot
// import this package, and a Pass that was made without New is not valid.
package owner

// Pass is passed to Engine.Owner once. The zero value is not valid.
type Pass struct{ valid bool }

// New returns a valid Pass.
func New() Pass { return Pass{valid: true} }

// Valid reports whether New made the Pass.
func (p Pass) Valid() bool { return p.valid }
