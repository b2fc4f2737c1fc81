// Package boardspecs lists the leaderboards that scripts know: some boards, each with the specs that migrate goes between.
//
// The board oracle takes its specs from here, and so does the generator, which draws windows and scores that fit them.
//
// # Where things are
//
//	specs.go         Names, their specs, and WithDefaults, which fills in what a spec leaves out
//	mixed.go         the dimensions of Mixed, a board with a spec for each combination of them
//	combinations.go  all combinations, and why some are refused
//	of.go            Of: a spec of a board by its number; which are converted, and followed
package boardspecs
