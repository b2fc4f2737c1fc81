// Package diff compares two results of the same benchmark, figure by figure.
//
// A figure has one sample a round in each result. The Mann-Whitney U test of golang.org/x/perf/benchmath, the library under benchstat,
// tells whether they differ; it assumes nothing about how samples are distributed. p is the probability that samples of the same thing
// come out so far apart. A figure changed if p is below alpha.
//
// # Where things are
//
//   - diff.go: Compare and its rows
//   - notes.go: what the test cannot know: other machines, too few rounds, chance, what the peers did
//   - write.go: text and JSON
package diff
