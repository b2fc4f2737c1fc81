// Package owner has the proof that a caller of the engine is package board, which owns the reserved keys. Other modules cannot import
// it, and a Pass that was made without New proves nothing.
package owner

// Pass is the proof. It is handed to Engine.Owner once. The zero value is not valid.
type Pass struct{ valid bool }

// New returns a valid Pass.
func New() Pass { return Pass{valid: true} }

// Valid reports whether New made the Pass.
func (p Pass) Valid() bool { return p.valid }
