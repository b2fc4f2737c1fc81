// Package diff compares two results of the same benchmark, figure by figure.
//
// A figure has one sample a round in each result. The Mann-Whitney U test of golang.org/x/perf/benchmath, the library under benchstat,
// decides whether the samples differ. It assumes no distribution. p is the probability of a difference at least this large between samples
// of the same thing. A figure changed if p is below alpha.
//
// # Where things are
//
//   - diff.go: Compare and its rows; notes on what the test cannot know; text
package diff
