package boardcmd

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// leastLeagueRow is less than the number of bytes of a member of a cohort.
const leastLeagueRow = 20

// league is BOARD.LEAGUE name member [PERIOD p]
func (b *commands) league(c *session.Client, a [][]byte) error {
	of, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	var l board.League
	switch {
	case len(a) == 3:
		l, err = of.League(c.Host.Work, string(a[2]))
	case len(a) == 5 && command.Upper(string(a[3])) == "PERIOD":
		l, err = of.LeagueOf(c.Host.Work, string(a[4]), string(a[2]))
	default:
		return command.ErrSyntax
	}
	if err != nil {
		return err
	}
	w := &c.Out
	if !w.Expect(len(l.Rows), leastLeagueRow) {
		return nil
	}
	w.Map(5)
	writeText(w, "period", l.Period)
	writeText(w, "tier", l.Tier)
	w.BulkString("cohort")
	w.Int(int64(l.Cohort))
	w.BulkString("settled")
	w.Bool(l.Settled)
	w.BulkString("members")
	w.Array(len(l.Rows))
	for i := range l.Rows {
		row := &l.Rows[i]
		w.Array(3 + row.Score.Len())
		w.Int(int64(row.Rank))
		w.BulkString(row.Zone.String())
		w.BulkString(row.Member)
		writeScore(w, row.Score)
	}
	return nil
}

// tier is BOARD.TIER name member
func (b *commands) tier(c *session.Client, a [][]byte) error {
	of, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	tier, err := of.Tier(c.Host.Work, string(a[2]))
	if err == nil {
		c.Out.BulkString(tier)
	}
	return err
}
