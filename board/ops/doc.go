// Package ops is the table of the operations of boards: what each is called, what it is given and
// answers, who may use it, and the method of board.Store, board.Board, board.Groups or board.Ranking
// that it calls. The HTTP API, its Go client, the commands of RESP and most of those of zrank are made from
// it. The package is for doors of this module, and changes with them: programs call the methods themselves.
//
// # Terms
//
//   - An operation is an Op. Its arguments are a struct whose tags say where an argument stands in a
//     request of HTTP: path, query, header, or in the field Body, which is the JSON of the body. Further
//     tags say more of an argument: doc, default, example, enum, minimum, pattern, required.
//   - A read is an operation on a ranking. It does not say on which: a Locator, or what else a door
//     knows rankings by, names one for all reads.
//   - Env is what operations need beside their arguments: the boards, bounds, a clock, and who asks.
//
// # Rules
//
//   - O1: an argument means the same behind every door. There is one parser for each type of argument,
//     Param.Set; package boardjson reads bodies by the same rules.
//   - O2: no answer has more than Env.MaxRows rows, entries or names; those of a batch count together.
//     An operation counts them before it reads any: see bounds.go.
//   - O3: a result is a type of the contract, or a struct that has some of them. Its one JSON form is
//     that of package boardjson.
//   - O4: every method of the contract is in the table, or in the list of those that are not, with the
//     reason: see TestContract.
//
// # How to add an operation
//
// Write its arguments, its result and its row, add the row to the list of its file, and an example to
// examples.json of the HTTP API, which a test sends.
//
// # Where things are
//
//	op.go          Op and Env; how a row is made
//	table.go       All
//	args.go        Param: the arguments of an operation; words.go those of commands
//	fields.go      Field: the fields of a result
//	locator.go     Locator: which ranking a read is of
//	bounds.go      how many rows an answer may have
//	reads.go       reads of rows; statistics.go what is counted; compare.go several members
//	boards.go      boards; periods.go their windows
//	submit.go      results
//	moderation.go  changes of members; audit.go what operators read
//	awards.go      awards; leagues.go cohorts and tiers
//	groups.go      groups; unions.go stored unions
package ops
