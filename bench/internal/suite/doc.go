// Package suite lists all benchmarks, and looks up what they declare of a result.
//
// # Where things are
//
//   - suite.go: All, Read, and the titles of lines and figures
package suite
