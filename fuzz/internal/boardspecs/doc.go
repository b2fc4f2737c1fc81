// Package boardspecs lists the leaderboards that scripts know: some boards, each with the specs that migrate goes between.
//
// The board oracle takes its specs from here, and so does the generator, which draws windows and scores that fit them.
//
// # Where things are
//
//	specs.go  Names, their specs, and WithDefaults, which fills in what a spec leaves out
//	mixed.go  Of; a board whose specs are drawn at random
package boardspecs
