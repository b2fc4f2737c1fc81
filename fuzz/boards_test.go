package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBoards runs new scripts on boards.
func TestBoards(t *testing.T) {
	var total Counts
	for i := range uint64(*scriptsFlag) {
		for _, c := range Boards() {
			script := c.Generate(*seedFlag+i, *linesFlag)
			check(t, []Config{c}, script)
			if result, err := Run(c, script); err == nil {
				total.Add(result.Counts)
			}
		}
	}
	t.Logf("%+v", total)
}

// TestBoardHistory pins what boards answer in a history.
func TestBoardHistory(t *testing.T) {
	script, err := Parse(`
		submit sum m1 3 0 ""
		begin
		submit sum m2 3 -1 "meta=x"
		remove sum m1
		rollback
		submit sum m2 3 -1 "once=q"
		submit sum m2 3 -1 "once=q"
		place sum all m2
		sleep 700000
		submit sum m2 1 -700000 ""
		ended sum week`)
	require.NoError(t, err)
	for _, c := range []Config{Boards()[0], Boards()[2]} {
		result, err := Run(c, script)
		require.NoError(t, err, c.Name)
		require.Equal(t, []string{
			`week 2001-W36:  -> 1 "m1" 3@2001-09-09T01:46:40Z improved=true passed=0 of 1 (); all all:  -> 1 "m1" 3@2001-09-09T01:46:40Z improved=true passed=0 of 1 (); `,
			`begin`,
		}, result.History[:2], c.Name)
		t.Log(result.History)
	}
	result, err := Run(Memory(), script)
	require.NoError(t, err)
	require.Equal(t, "skipped", result.History[0])
}
