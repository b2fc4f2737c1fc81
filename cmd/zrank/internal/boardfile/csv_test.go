package boardfile

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/engine"
)

// TestCSV exports boards of several kinds.
func TestCSV(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	now := at.Add(time.Minute) // the time of the data
	e, err := engine.Open(dir, engine.Options{Clock: func() time.Time { return now }})
	require.NoError(t, err)
	require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) error { return tx.Put(datadir.ClockKey, []byte(now.Format(time.RFC3339Nano))) }))
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	submit := func(spec board.Spec, subs ...board.Submission) {
		b, err := boards.Define(t.Context(), spec)
		require.NoError(t, err)
		for _, sub := range subs {
			_, err := b.Submit(t.Context(), sub)
			require.NoError(t, err)
		}
	}
	submit(board.Spec{Name: "a", MaxMeta: 9, Columns: []board.Column{{Name: "=points", Decimals: 2}, {Name: "wins", Absent: board.AbsentLast}}, Windows: []board.Window{board.All, board.Day}},
		board.Submission{Member: "=ada", Score: board.Values(board.Decimal(-150, 2), board.Absent), At: at.Add(1500 * time.Microsecond), Meta: []byte("+1")},
		board.Submission{Member: "b\"e\na", Score: board.Values(board.Decimal(150, 2), board.Int(3)), At: at, Meta: []byte{0xff}})
	submit(board.Spec{Name: "b", Ties: board.ByMember, Columns: []board.Column{{Name: "time", Kind: board.Float64, Order: board.Asc}}}, board.Submission{Member: "cy", Score: board.Floats(61.5), At: at})
	submit(board.Spec{Name: "rolling", Windows: []board.Window{board.Rolling("2h", 2*time.Hour)}}, board.Submission{Member: "dov", Score: board.Ints(4), At: at})
	submit(board.Spec{Name: "top", Top: &board.Top{N: 1}}, board.Submission{Member: "eve", Score: board.Ints(4), At: at}, board.Submission{Member: "fay", Score: board.Ints(3), At: at})
	submit(board.Spec{Name: "parts", Parts: 3}, board.Submission{Member: "gus", Score: board.Ints(4), At: at}, board.Submission{Member: "hal", Score: board.Ints(5), At: at})
	submit(board.Spec{Name: "none"})
	require.NoError(t, boards.Close())
	require.NoError(t, e.Close())

	var file bytes.Buffer
	progress := 0
	report, err := ExportCSV(t.Context(), &file, Options{Dir: dir, Progress: func(_ string, n int) { progress = n }})
	require.NoError(t, err)
	when, day := at.Format(time.RFC3339), at.Format(time.DateOnly)
	one := "'=ada,-1.50,,," + "," + at.Format("2006-01-02T15:04:05") + ".0015Z,'+1\n"
	two := "\"b\"\"e\na\",1.50,3,,," + when + ",base64:/w==\n"
	require.Equal(t, "board,window,period,rank,member,'=points,wins,time,score,reached,meta\n"+
		"a,all,all,1,"+two+"a,all,all,2,"+one+"a,day,"+day+",1,"+two+"a,day,"+day+",2,"+one+
		"b,all,all,1,cy,,,61.5,,,\nparts,all,all,1,hal,,,,5,"+when+",\nparts,all,all,2,gus,,,,4,"+when+",\n"+
		"rolling,2h,all,1,dov,,,,4,"+when+",\ntop,all,all,1,eve,,,,4,"+when+",\n", file.String())
	require.Equal(t, 9, progress)
	require.Equal(t, Report{{Board: "a", Periods: 2, Entries: 4}, {Board: "b", Periods: 1, Entries: 1}, {Board: "none"}, {Board: "parts", Periods: 1, Entries: 2}, {Board: "rolling", Periods: 1, Entries: 1},
		{Board: "top", Periods: 1, Entries: 1}}, report)
	_, err = ExportCSV(t.Context(), fullDisk{}, Options{Dir: dir})
	require.ErrorIs(t, err, errFull)
}

var errFull = errors.New("the disk is full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }
