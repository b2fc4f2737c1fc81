// Command zrankfuzz runs random scripts of operations on zrank's layers, under many configurations and with crashes, and compares
// every reply with an oracle. Package fuzz says how.
//
// Run "zrankfuzz help" for its commands. It exits with 0, with 1 when something has failed, and with 2 when it was called wrongly;
// an error is one line on standard error.
//
// # Where things are
//
//	main.go      the tree of commands
//	campaign.go  the root command: a campaign
//	replay.go    run: a saved script
//	list.go      list: configurations and operations
//	print.go     print: the script of a seed
//	combinations.go  combinations: how often which features of boards are together
//	bugs.go      bugs: how soon known bugs are found
//	overlay.go   overlay: a copy of the code with known bugs
//	child.go     engines in processes of their own
//	choose.go    configurations by pattern
//	progress.go  progress of a campaign
//	show.go      tables and summaries
//	usage.go     the help of a command, and the error of a wrong call
package main
