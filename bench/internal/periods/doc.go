// Package periods measures what the periods of a board cost: one stage, in this process.
//
// live is the memory of three windows of n players, all in. kept is one window whose period of n players is closed: how long that
// takes, what is left of it in memory once a snapshot has been taken, and on the disk, how long the first card takes after the
// engine was opened anew and the kernel was made to forget its files, and a migration to another tie rule.
//
// The others are what submitters wait for: a crew (package crew) submits to a board of three windows, and meanwhile nothing
// happens; midnight comes, and the day of n players is closed; or that, and a snapshot, after which the day leaves memory.
// Submissions count that were due or under way from midnight until a while after the end.
package periods
