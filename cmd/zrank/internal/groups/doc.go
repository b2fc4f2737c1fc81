// Package groups has the commands "zrank groups": groups of members, who is in them, and what changes that.
//
// # Where things are
//
//	commands.go  New: the command and its subcommands
//	read.go      list, show, of
//	among.go     among
//	change.go    define, create, meta, dissolve, join, move, leave, rename, rebuild
//	import.go    import: many members join; rows.go its file
//	call.go      what the commands share: flags, and one run
//	lists.go     how kinds, groups and members are shown
package groups
