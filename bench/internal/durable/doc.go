// Package durable measures commits: of callers who wait for the disk, and of those who do not.
//
// Every system first gets all members. Each commit gives random members of one set random scores, none of them the score that the member
// has; members and scores are drawn before. Every caller makes its next commit when the last one has returned. Calls are counted in each
// turn, without a look at the clock, and after that timed one by one, for as long again. The collector is on, and snapshots are taken as
// the engine's options say.
//
// # Where things are
//
//   - durable.go: the benchmark: the engine, and Pebble alone with the options that persist gives it
package durable
