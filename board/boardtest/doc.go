// Package boardtest specifies boards by scenarios in text files: who scores what when, and what the board must answer then. Any
// implementation of boards can be tested with them, through the interface Backend:
//
//	boardtest.Run(t, boardtest.Files(), "", func(now func() time.Time) (boardtest.Backend, error) { … })
//
// It is for tests: nothing else imports it. Zones are those that package time finds; a test imports time/tzdata to be sure.
//
// # A scenario
//
// The first line of a file is a comment that says what the scenario is for: which defect it guards against, or which promise it shows.
//
//	# The example of the package's doc: a weekly board in Shanghai, with a day of grace.
//	now 2026-11-22 23:59:50 Asia/Shanghai
//	board arena op=sum columns=points windows=all,week@Asia/Shanghai+24h meta=16
//	submit ada 15 meta="red hat"
//	submit bea 20 near=1   -> all: 1 of 2 with 20, new, passed 1 (1 bea 20, 2 ada 15)
//	                        | week 2026-W47: 1 of 2 with 20, new, passed 1 (1 bea 20, 2 ada 15)
//	submit ada 2.5         -> error ErrKind column points: 2.5
//	top all                -> 1 bea 20, 2 ada 15 {red hat}
//	now Monday 00:00 Asia/Shanghai
//	periods week           -> 2026-W47 late 2
//	submit ada 5 at=-1s    -> all: 2 of 2 with 20, was 2 with 15
//	                        | week 2026-W47: 2 of 2 with 20, was 2 with 15
//	rank all ada mode=competition -> 1 ada 20 {red hat}
//	now +24h
//	kill
//	submit ada 5 at=-25h   -> error ErrPeriodClosed week 2026-W47, 2026-W48 is live with arena
//	top week/2026-W47      -> 1 bea 20, 2 ada 20 {red hat}
//
// # Lines
//
// A line is a command and, behind ->, its exact answer; several blanks count as one. A line that begins with a blank continues the line
// before it. Lines that begin with # are comments. A command without an answer must not fail; a command that only reads must have an
// answer. An answer "error NAME …" is an error with the fields of its type; behind "with" may stand words that the text of the error must
// contain. If a command that writes is refused, the contents of the board must be the same as before.
//
// Words stand between blanks; in double quotes, as Go writes them, they may hold blanks. KEY=VALUE is an option, anywhere in the line. x*1025
// is 1025 times x. An unknown word, option or command is an error of the file: nothing of it runs.
//
// A TIME is one of these; in an option it is quoted:
//
//	2026-11-20T15:59:00Z                  an instant, with its offset from UTC
//	2026-11-20 23:59:50 Asia/Shanghai     a time that the clocks of a zone show exactly once; seconds may be left out
//	Monday 00:00 Asia/Shanghai            the next time that they show that
//	+3h, -1us                             from now on, or ago
//
// A RANKING is one of these. The option mode=competition, modified or dense gives ranks in that mode.
//
//	week             the live period of a window
//	week/2026-W47    a period
//	week/2026-W47#7  a period as it was after row 7 of the journal
//	week@TIME        the period of a time, as it was then
//	week:last        the last that was closed
//	week:base=NAME   a baseline
//	pin:NAME         a pinned copy
//	kept:NAME        a ranking that the command keep has kept
//	union:NAME       a stored union
//
// A SCORE is one word for each column: 15, 1.5, NaN, +Inf; - for an absent value.
//
// # Commands
//
//	now TIME [unnoticed]                  moves the clock and, unless unnoticed, closes the periods that are due
//	reopen [TIME], kill [TIME]            closes everything, or cuts the power, and opens it again then
//	board NAME [SPEC]                     defines a board, which is the present one from then on: see below
//	migrate NAME [SPEC]                   gives a board another spec
//	use NAME, drop NAME                   another present board; deletes one
//	submit MEMBER SCORE [SUBMISSION]      submits; the answer tells what it did in each window
//	multiply MEMBER FACTOR [SUBMISSION]   submits the member's score times a whole number, by SubmitFunc; skips a member without a score
//	batch MEMBER SCORE [SUBMISSION]; …    submits several in one commit
//	atonce MEMBER SCORE [SUBMISSION]; …   submits each from another goroutine, and counts those that counted, duplicates and skipped ones
//	remove MEMBER                         removes a member from all open periods
//	meta WINDOW MEMBER TEXT               sets the metadata of an entry of the live period; "" for none
//	close WINDOW                          closes the live period by hand
//	baseline WINDOW NAME                  saves a baseline; dropbaseline drops it
//	pin NAME RANKING                      pins a copy
//	union NAME SOURCE… [UNION]            pins a union as it is now
//	storeunion NAME SOURCE… [UNION]       stores one; dropunion NAME drops it
//	deliver WINDOW [fails=MEMBER,…]       pays the awards of a window from now on, after restarts too; it fails for some members
//	settle                                settles the closed periods, and delivers their awards
//	claim MEMBER ID                       claims an award and pays it, in one transaction; the answer is its tiers
//	withhold ID REASON, release ID        withholds an award; makes it wait again
//	resettle WINDOW/PERIOD [without=MEMBER,…] [awards=PLAN] [dry=true] [reason=TEXT]
//	correct MEMBER WINDOW/PERIOD SCORE… [at=TIME] [ACTION]
//	                                             submits a result to a closed period
//	ban|unban|hide|show|erase MEMBER [ACTION]    changes what the board has of a member; the answer tells the places, and of an erasure what else was erased
//	rename|merge MEMBER TO [ACTION]              gives a member another name, or its results to another one
//	revert MEMBER [row=N] [since=TIME] [ACTION]  takes submissions back; the answer tells the places
//	watch MEMBER, unwatch MEMBER          the member wants to hear of everybody who overtakes it, or not any more
//	keep NAME RANKING                     keeps the Ranking that the board returns, for later reads, until a restart
//
//	top RANKING [times] [n=N]             rows: RANK MEMBER SCORE {METADATA}; with times, when the score was reached
//	rank, score RANKING MEMBER            a member's row, or its score
//	places RANKING FIRST LAST             rows by place; -1 is the last
//	around RANKING MEMBER EACH            a member's row with those before and after it
//	aroundscore RANKING SCORE [each=N]    rows before and after the place that a score would have
//	between RANKING [best=SCORE] [worst=SCORE] [skip=N] [limit=N]
//	count RANKING [best=SCORE] [worst=SCORE]
//	rankof RANKING SCORE                  the rank that a new member with a score would have
//	among RANKING MEMBER…                 LOCAL/ROW: ranks among themselves and in all
//	percentile RANKING MEMBER             and atpercentile RANKING PERCENT, a row
//	histogram RANKING BINS                BEST..WORST: MEMBERS
//	gap RANKING MEMBER ABOVE              the difference to the score at a place above
//	page RANKING CURSOR [n=N]             the next page of a cursor with a name; "; done" behind the last
//	card RANKING MEMBER [top=N] [each=N]
//	arrows RANKING BASE MEMBER…           ranks here and in another ranking
//	info RANKING                          the period, from when to when, how long, and when it was closed
//	periods WINDOW                        PERIOD live, late (open for late results) or closed, and its number of members
//	reset WINDOW, deadline TIME           when the next period begins; until when a result of that time is accepted
//	nextchange WINDOW MEMBER              when the first of a member's results leaves a rolling window
//	best WINDOW MEMBER                    the best rank ever
//	baselines WINDOW                      the names of baselines
//	awards WINDOW/PERIOD                  RANK MEMBER TIERS STATE, by place
//	awardsof, claimable MEMBER            the awards of a member in all periods; those that can be claimed
//	settlements WINDOW                    the periods that award something
//	journal [member=MEMBER] [since=TIME]  what was submitted, newest first: NUMBER MEMBER SCORE at TIME
//	league MEMBER [period=PERIOD]         its cohort: TIER COHORT [band BAND] [settled]: RANK MEMBER SCORE ZONE; - MEMBER is not ranked
//	tier MEMBER                           the tier of a member; settier MEMBER TIER ACTION gives it another one
//	promotions PERIOD                     MEMBER up or down from TIER to TIER
//	events [kinds=KIND,…] [windows=NAME,…] [members=MEMBER,…]   the events of all boards since the last events: KIND WINDOW/PERIOD MEMBER by MEMBER other MEMBER
//	                                      at RANK was RANK with SCORE from SCORE award ID count N entry NUMBER
//	member MEMBER                         its places in all periods, and the best of each window
//	audit [member=MEMBER] [by=NAME] [kind=KIND] [since=TIME]   NUMBER TIME KIND MEMBER [to MEMBER] by NAME; HASH stands for an erased member
//	coins MEMBER…                         what the members were paid
//	groups KIND                           defines a kind of groups
//	create KIND GROUP [meta=TEXT]         and dissolve KIND GROUP
//	join KIND GROUP MEMBER…               go KIND GROUP MEMBER to another group, leave KIND MEMBER
//	renamein KIND MEMBER TO               gives a member's place in its group to another member
//	groupof KIND MEMBER                   the group of a member
//	grouplist KIND [GROUP]                the groups with their sizes; the metadata and the members of one
//	amonggroup KIND GROUP RANKING         LOCAL MEMBER SCORE (RANK) of the members of a group
//	unions                                the names of stored unions, each with its number of members
//
// Every read of a ranking runs three times: on the ranking, in a View of it and on a pinned copy. The answers must be equal.
// A member beyond the best N has the rank "beyond N" or, with segments, "RANK±WITHIN". Only the ranking knows it.
//
// SPEC is the fields of board.Spec. Windows have the order of the line:
//
//	op=sum k=3 parts=4 partmembers=100 journal=100 feed=TOP ties=last meta=BYTES bestranks=true oncefor=24h top=N+RESERVE/SEGMENTS
//	columns=solved,penalty:asc,points:float64,last:asc:op=max,level:min=0:max=99,bonus:absent=last,hours:decimals=1,all:of=solved*10+hours*0.5
//	windows=all,sun=week-sunday@America/New_York+10m#8           as window.ParseShort reads them
//	seasons=NAME@ZONE+GRACE#KEEP,s1:2026-09-01..2026-11-01,s2:…   times as spec files have them
//	derived=BOARD/KIND/bestof3/least2/stay                        the last three in any order, each may be left out
//	awards="PLAN"                                                 may stand there more than once
//	leagues=WINDOW:TIER,TIER:SIZE+UP-DOWN:BAND,BAND               the lowest tier first; bands may be left out
//	event=NAME@ZONE,2026-11-20T20:00:00..2026-11-20T22:00:00
//
// A PLAN is WINDOW [MODE] [stack] [claim] [expires=48h] [dropundelivered] TIER…. A TIER is NAME:RANK, NAME:FROM-TO, NAME:PERCENT%, NAME:@SCORE or NAME:all; behind
// it may stand =PAYLOAD, a number of coins. A command that depends on what is settled or delivered stands behind settle: the goroutine of the boards
// does it in its own time.
//
// A SOURCE of a union is BOARD:WINDOW for the live period, BOARD:WINDOW/PERIOD, BOARD:WINDOW/FROM..TO, BOARD:WINDOW/FROM.. up to the live one,
// BOARD:WINDOW~N for the last N periods, or BOARD:WINDOW:base=NAME; behind it may stand *WEIGHT, or *WEIGHT,WEIGHT… for each column. UNION is the
// fields of board.UnionSpec: combine=sum, min, max or best; columns=max,sum.
//
// ACTION is the fields of board.Action: by=NAME reason=TEXT dry=true.
//
// SUBMISSION is the fields of board.Submission: at=TIME windows=NAME,NAME once=KEY meta=TEXT skill=N near=N overtaken=N if=new, ranked or better.
//
// # Where things are
//
//	run.go                    Run: every file as a test
//	backend.go                Backend, what is tested; Copied, one with several engines
//	scenario.go               a file, line by line
//	play.go, player.go        playing a file; the player's state
//	table.go                  the commands by name
//	commands.go               commands that write, move the clock, restart; unions.go those of unions
//	journal.go                commands of journals
//	leagues.go                commands of leagues
//	groups.go                 commands of groups
//	moderation.go             commands that change what a board has of a member; the audit log
//	events.go                 commands of feeds
//	awards.go                 commands of awards; delivery.go the coins that are paid
//	read.go, statistics.go    commands that read rankings
//	spec.go, moment.go        SPEC; TIME; plan.go PLAN
//	words.go, answer.go       words of a line; answers as text
package boardtest

import (
	"bytes"
	"embed"
	"io/fs"
)

//go:embed testdata/*.txt
var testdata embed.FS

// Files returns the scenarios that every backend of boards must pass: see Run.
func Files() fs.FS {
	files, err := fs.Sub(testdata, "testdata")
	if err != nil {
		return testdata // the path is a valid one
	}
	return files
}

// ByName returns the scenarios without the one line that tells a board from another one that was
// defined under its name later: for backends whose requests name boards.
func ByName(files fs.FS) fs.FS { return byName{files} }

type byName struct{ fs.FS }

// ReadFile implements fs.ReadFileFS.
func (f byName) ReadFile(name string) ([]byte, error) {
	text, err := fs.ReadFile(f.FS, name)
	if name == "kept-live.txt" {
		text = bytes.TrimSuffix(text, []byte("top kept:season   -> error ErrNoBoard\n"))
	}
	return text, err
}
