// Package moderate has the commands that change what a board keeps of a member, and those that show who has done so.
//
// # Where things are
//
//	commands.go  Commands: zrank ban, unban, revert
//	correct.go   zrank correct
//	hide.go      zrank hide, show
//	rename.go    zrank rename, merge
//	erase.go     zrank erase
//	erase_all.go zrank erase --all
//	receipt.go   how what was erased from a board is shown
//	tier.go      zrank tier
//	member.go    zrank member
//	verb.go      the flags and the run of a command that changes a member
//	places.go    how the places that have changed are shown
//	progress.go  the progress bar of a change
//	journal.go   zrank journal
//	audit.go     zrank audit
//	jobs.go      zrank jobs
package moderate
