package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/fuzz/internal/engines"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/runner"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// FuzzBoards reads bytes as operations on leaderboards.
func FuzzBoards(f *testing.F) {
	addBytes(f, 4, func(i int, seed byte) byte { return byte(i*i*5+i/7) + seed*57 })
	boards := engines.Boards()
	configs := []machine.Config{boards[0], boards[2]}
	f.Fuzz(func(t *testing.T, data []byte) {
		check(t, configs, configs[0].Decode(data, 60))
	})
}

// TestBoardHistory pins the replies of boards.
func TestBoardHistory(t *testing.T) {
	ops, err := script.Parse(`
		submit sum m1 3 0 ""
		begin
		submit sum m2 3 -1 "meta=x"
		remove sum m1
		places sum all 1 9
		setmeta sum all m2 z
		unbase sum all x
		rollback
		submit sum m2 3 -1 "once=q"
		submit sum m2 3 -1 "once=q"
		place sum all m2
		sleep 700000
		submit sum m2 1 -700000 ""
		ended sum week`)
	require.NoError(t, err)
	for _, c := range []machine.Config{engines.Boards()[0], engines.Boards()[2]} {
		result, err := runner.Run(c, ops)
		require.NoError(t, err, c.Name)
		first := `1 "m1" 3@2001-09-09T01:46:40Z`
		second := `2 "m2" 3@2001-09-09T01:46:39Z`
		require.Equal(t, []string{
			"week 2001-W36:  -> " + first + " improved=true passed=0 of 1 (); all all:  -> " + first + " improved=true passed=0 of 1 (); " + first,
			"begin",
			"week 2001-W36:  -> " + second + " improved=true passed=0 of 2 (); all all:  -> " + second + " improved=true passed=0 of 2 (); " + second + " {x}",
			"week 2001-W36 " + first + "; all all " + first + "; ",
			`1 "m2" 3@2001-09-09T01:46:39Z {x}, `,
			"",
			"skipped",
			"rollback",
			"week 2001-W36:  -> " + second + " improved=true passed=0 of 2 (); all all:  -> " + second + " improved=true passed=0 of 2 (); " + second,
			"duplicate week 2001-W36: " + second + " of 2 (); all all: " + second + " of 2 (); " + second,
			second + " 2 1 2 1 ahead of 0.000 %, top 50 %, column -1 lacks 0 to m1, best rank 0",
			"sleep",
			"board: period is closed",
			"2001-W36 closed: " + first + ", " + second + ", ",
		}, result.History[:14], c.Name)
		require.Contains(t, result.History[14], "v1 sum; week 2001-W36 closed: ", c.Name)
	}
	result, err := runner.Run(engines.Memory(), ops)
	require.NoError(t, err)
	require.Equal(t, "skipped", result.History[0])
}

// TestModerationHistory pins the replies to changes of members by operators.
func TestModerationHistory(t *testing.T) {
	ops, err := script.Parse(`
		submit last m1 "3,1" 0 ""
		submit last m2 "4,1" 0 ""
		sleep 3600
		hide last m1 ""
		submit last m1 "1,1" 0 ""
		ended last hour
		show last m1 dry
		show last m1 ""
		ban last m1 ""
		submit last m1 "1,1" 0 ""
		unban last m2 ""
		unban last m1 anonymous
		ended last hour
		member last m2`)
	require.NoError(t, err)
	for _, c := range []machine.Config{engines.Boards()[0], engines.Boards()[2]} {
		result, err := runner.Run(c, ops)
		require.NoError(t, err, c.Name)
		require.Equal(t, []string{
			"entry 1 awards 0: hour 2001-09-09T01 closed=true hidden=true 1 of 2 with 3 1 -> 0 with 3 1 moved 1; ",
			"hour 2001-09-09T02: hidden changed=true improved=true of 0 (); not ranked",
			`2001-09-09T01 closed: 1 "m2" 4 1, `,
		}, result.History[3:6], c.Name)
		shown := "hour 2001-09-09T02 closed=false hidden=false 0 of 0 with 1 1 -> 1 with 1 1 moved 0; hour 2001-09-09T01 closed=true hidden=false 0 of 1 with 3 1 -> 1 with 3 1 moved 1; "
		require.Equal(t, []string{
			"entry 0 awards 0: " + shown,
			"entry 2 awards 0: " + shown,
			"entry 3 awards 0: hour 2001-09-09T02 closed=false hidden=false 1 of 0 with 1 1 -> 0 with  moved 0; hour 2001-09-09T01 closed=true hidden=false 1 of 2 with 3 1 -> 0 with  moved 1; ",
			"board: member is banned",
			"board: member is not banned",
			board.ErrAction.Error(),
			`2001-09-09T01 closed: 1 "m2" 4 1, `,
		}, result.History[6:13], c.Name)
		require.Contains(t, result.History[13], `"m2" banned=false hour: hour 2001-09-09T01 closed=true hidden=false 1 of 1 with 4 1 -> 0 with  moved 0;`)
	}
}
