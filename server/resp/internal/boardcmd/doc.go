// Package boardcmd has the commands BOARD.* and GROUP.*, which are zrank's own: leaderboards, with exact scores and ranks from 1, and groups of members.
//
// # Where things are
//
//	commands.go  Commands: the rows; BOARD.TOP, RANK, AROUND, PERIODS, INFO, LIST, REMOVE
//	submit.go    BOARD.SUBMIT
//	awards.go    BOARD.AWARDS, CLAIM
//	league.go    BOARD.LEAGUE, TIER
//	groups.go    GROUP.*
//	moderators.go  the rows of the commands of moderators; BOARD.SETTIER
//	moderate.go  BOARD.BAN, UNBAN, HIDE, SHOW, RENAME, MERGE, and what the commands of moderators share
//	revert.go    BOARD.REVERT
//	erase.go     BOARD.ERASE
//	member.go    BOARD.MEMBER
//	audit.go     BOARD.AUDIT, JOBS
//	journal.go   BOARD.JOURNAL
//	correct.go   BOARD.CORRECT
//	feed.go      BOARD.FEED
//	move.go      BOARD.MOVE
//	cluster.go   what BOARD.MOVE needs of a cluster
//	write.go     how rows, periods and windows are written
//	moment.go    times and rows of the journal in requests
//	board.go     the boards, and the words that choose a ranking
package boardcmd
