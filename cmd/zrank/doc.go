// Command zrank keeps leaderboards in a directory: it replays score events into boards, shows them, serves them, and has a demo.
//
// Run "zrank help" for its commands. It exits with 0, with 1 when something went wrong, with 2 when it was called wrongly, and with 3
// when it did what it could and something is missing.
// An error is one line on standard error.
//
// # Where things are
//
//	main.go      the tree of commands
//	usage.go     errors of wrong calls; help.go help texts
//	complete.go  completion in shells
//	union.go     union
//	boards.go    boards
//	periods.go   periods
//	follow.go    follow
//	history.go   history
//	close.go     close
//	ask.go       questions that are answered with yes or no
//	settle.go    settle; correction.go its plans and changes
//	awards.go    awards
//	award_rows.go  how awards and settlements are shown
//	migrate.go   migrate
//	check.go     check
//	compact.go   compact
//	tools.go     backup, restore, salvage; read_bar.go how much they and check have read
//	schema.go    schema
//	version.go   version
//
// The commands that do one operation of a board each are made in internal/verbs. The commands replay, serve, demo, move, groups import, import and export are packages in
// internal too, and so is the code that several commands share:
//
//	internal/target    what a command is about: the boards of a directory, or of a server
//	internal/datadir   data directories: opening, the clock, rows, who has them open
//	internal/specs     specs of boards from flags and files
//	internal/feed      events into boards
//	internal/events    events from CSV
//	internal/show      tables, CSV, JSON
//	internal/redisfile import and export
//	internal/season    the season of the demo
//	internal/flags     flags that many commands have
//	internal/console   numbers for people, progress bars
package main
