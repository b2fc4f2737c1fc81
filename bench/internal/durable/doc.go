// Package durable measures what callers reach who wait for the disk, and those who do not: one case, one system, in this
// process, in turns with the other systems in theirs.
//
// A case has a number of callers and a size of commit. Every caller makes a commit, waits until it returns, and makes the
// next one, so the times of its calls are what such a caller sees; what a caller sees who comes at fixed times is measured
// by package recovery.
//
// Every system first gets all members. Each commit gives random members of one set random scores, none of them the score
// that the member has; members and scores are drawn before. A quarter of the time warms up. Then
// calls are counted in each turn, without a look at the clock, and after that timed one by one, for the same time again. The collector is on,
// and snapshots are taken as the engine's options say.
//
// Pebble is given the options that persist gives it. Its user writes the score under "arena/" and the member.
package durable
