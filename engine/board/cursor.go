package board

// Cursor is where a page ends.
type Cursor struct{}
