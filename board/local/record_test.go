package local

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// TestRecordTimes: a record stores the exact start and end of a closed period, in zones with odd offsets and in any year.
func TestRecordTimes(t *testing.T) {
	for _, row := range []struct{ zone, at string }{
		{"Asia/Shanghai", "1890-06-01 12:00:00"}, // local mean time: +8:05:43
		{"Africa/Monrovia", "1971-06-01 12:00:00"},
		{"UTC", "9999-06-01 12:00:00"},
		{"UTC", "0001-06-01 12:00:00"},
		{"Asia/Shanghai", "0000-06-01 12:00:00"},
	} {
		g := newGame(t, true)
		for range 9 { // the test clock moves by at most 292 years at a time
			g.to(row.at)
		}
		b := g.define(counting("arena", board.Window{Kind: window.Year, TimeZone: row.zone}))
		g.score(b, "ada", 1)
		info, err := b.CloseNow(t.Context(), "year")
		require.NoError(t, err, row)
		require.True(t, info.Closed)
		g.reopen()
		r, err := g.board("arena").LastClosed(t.Context(), "year")
		require.NoError(t, err)
		require.Equal(t, info, infoOf(r))
	}
}

// TestClosedInTheYear10000: a record can be stored when the clock is beyond the year 9999.
func TestClosedInTheYear10000(t *testing.T) {
	g := newGame(t, true)
	b := g.define(counting("arena", board.Day))
	g.score(b, "ada", 1)
	for range 41 {
		g.jump(200 * 365 * 24 * time.Hour)
	}
	require.Greater(t, g.clock.Now().Year(), 9999)
	g.closeDue(1)
	g.reopen()
	g.closeDue(0)
	r, err := g.board("arena").LastClosed(t.Context(), "day")
	require.Equal(t, "ada 1", g.show(r, err))
}
