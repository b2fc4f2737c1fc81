// Package figure names what benchmarks measure: a number each, under a name that result files keep.
//
// # Where things are
//
//   - figure.go: the metrics, their units, and which way they are better
package figure
