// Package boardcmd has the commands BOARD.*, GROUP.* and UNION.*, which are zrank's own: leaderboards, with exact scores and ranks from 1, and groups
// of members. They are made from the table of package ops; those of this door alone are BOARD.LIST, INFO, FEED and MOVE, and GROUP.JOIN.
//
// # Rules
//
//   - C1: names are in any case, and bytes are what they are. A command has all of its words before it changes anything.
//   - C2: a result is a map of the fields that its JSON has, with names as new-rank, and null for what there is not; a result with one list is
//     that list. A row of a ranking is an array: rank, member, the columns of the score, and the metadata with META. Times are Unix seconds. What is
//     shorter is at the end of reply.go.
//   - C3: no reply is larger than the server allows: one that would be is an error, and has changed nothing that can be read again.
//
// # Where things are
//
//	commands.go  Commands: the rows
//	syntax.go    the words of a command, from the table; read.go how they are read; docs.go COMMAND DOCS
//	call.go      how an operation runs, and its errors
//	reply.go     how results are written, and those that have a form of their own; fields.go the fields of their structs
//	boards.go    the boards; BOARD.LIST, INFO
//	join.go      GROUP.JOIN
//	feed.go      BOARD.FEED
//	move.go      BOARD.MOVE
//	cluster.go   what BOARD.MOVE needs of a cluster
package boardcmd
