// Package diff compares two runs of the same command, figure by figure.
//
// A figure has one sample a repetition in each run. Whether two lots of samples differ is asked of golang.org/x/perf/benchmath,
// the library under benchstat: the Mann-Whitney U test, which assumes nothing about how they are spread. p is the probability
// that samples of the same thing come out so far apart. A figure changed if p is below alpha.
//
// What the test cannot know stands beside the table: other machines, sizes or seeds; too few repetitions for any p below
// alpha; how many figures may be taken for changed by chance; and what the peers' figures did, whose code is the same in every
// commit.
package diff
