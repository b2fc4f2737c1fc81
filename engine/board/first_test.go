package board

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

func TestFirst(t *testing.T) {
	now := time.Date(2026, 11, 20, 23, 0, 0, 0, time.UTC)
	e, err := engine.New(engine.Options{Clock: func() time.Time { return now }})
	require.NoError(t, err)
	defer e.Close()
	bs, err := Open(e, Options{})
	require.NoError(t, err)
	defer bs.Close()
	b, err := bs.Define(Spec{Name: "arena", Op: Sum, Windows: []Window{All, Day, Week}})
	require.NoError(t, err)
	c, err := b.Submit(Submission{Member: "ada", Score: Ints(15), Near: 1})
	require.NoError(t, err)
	t.Logf("%+v", c)
	c, err = b.Submit(Submission{Member: "bea", Score: Ints(20), Near: 1, Once: "x"})
	require.NoError(t, err)
	t.Logf("%+v", c)
	c, err = b.Submit(Submission{Member: "bea", Score: Ints(20), Near: 1, Once: "x"})
	require.NoError(t, err)
	require.True(t, c.Duplicate)
	now = now.Add(24 * time.Hour)
	n, err := bs.CloseDue()
	require.NoError(t, err)
	require.Equal(t, 1, n)
	_, err = b.Submit(Submission{Member: "bea", Score: Ints(20), At: now.Add(-3 * time.Hour)})
	t.Log(err)
	_, err = b.Submit(Submission{Member: "bea", Score: Ints(20), At: now.Add(-24 * time.Hour)})
	require.ErrorIs(t, err, ErrPeriodClosed)
	t.Log(err)
	r, err := b.LastClosed("day")
	require.NoError(t, err)
	rows, err := r.Top(10)
	require.NoError(t, err)
	t.Logf("%+v %+v", rows, r.Info())
	u, err := b.Usage()
	require.NoError(t, err)
	t.Logf("%+v", u)
	_, err = bs.Migrate(t.Context(), Spec{Name: "arena", Op: Sum, Windows: []Window{All, Day, Week}})
	require.NoError(t, err)
}
