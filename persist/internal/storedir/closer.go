package storedir

// CloserFunc makes an io.Closer of a function.
type CloserFunc func() error

// Close implements io.Closer.
func (c CloserFunc) Close() error { return c() }
