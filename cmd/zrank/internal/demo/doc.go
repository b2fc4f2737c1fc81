// Package demo is the command "zrank demo": it plays a season, shows its boards, and proves that a reopened directory has the same ranks.
//
// # Where things are
//
//	demo.go     New: the command
//	play.go     the results into the boards
//	serve.go    --serve: the season in a browser; guilds.go the guilds that it has
//	screen.go   the leaders while the boards fill
//	figures.go  tables and figures at the end
//	digest.go   a checksum of all ranks
//	specs.go    the boards of the game
//	options.go  the values of the flags
package demo
