// Package verbs has the commands that do one operation of package ops each. They are made from its table: what the operation is given are arguments
// and flags, and its result is a table, CSV or the JSON of the HTTP API. A Command says what the table does not: texts for the help, names of
// flags, and a form of its own for a result.
//
// # Where things are
//
//	operation.go   the arguments and flags of an operation
//	command.go     Command: what the table does not say; make.go how a command is made
//	arguments.go   how arguments and flags are read
//	run.go         how it runs: the board, the ranking, the period that are meant
//	result.go      how results are written; lines.go lists of any type
//	rankings.go    top, rank, around, score
//	moderation.go  ban, unban, hide, show, revert, correct, rename, merge, erase, tier
//	change.go      how the result of a change is written; places.go, receipt.go its parts; progress.go how far it is
//	audit.go       audit, journal, jobs, member
//	awards.go      claim; leagues.go league
//	groups.go      groups
//	board.go       board: the operations that no other command has
package verbs
