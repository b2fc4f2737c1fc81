// Package window is how a board is cut in time.
package window

// Window is one way in which a board is cut in time.
type Window struct{}

// Season is a period of its own.
type Season struct{}
