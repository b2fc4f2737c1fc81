package main

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/persist/wal"
)

// TestCheckClosed: check counts the closed periods that are unchanged, and names one that is not.
func TestCheckClosed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	e, err := engine.Open(dir, engine.Options{Clock: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }})
	require.NoError(t, err)
	bs, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	b, err := bs.Define(t.Context(), board.Spec{Name: "arena", Windows: []board.Window{board.Day}})
	require.NoError(t, err)
	for member, score := range map[string]int64{"ada": 5, "bob": 3} {
		_, err := b.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(score)})
		require.NoError(t, err)
	}
	_, err = b.CloseNow(t.Context(), "day")
	require.NoError(t, err)
	require.NoError(t, bs.Close())
	require.NoError(t, e.Close())
	require.Regexp(t, `(?m)^closed periods +1 as they were closed, 0 closed without a checksum$`, must(t, "check", "--dir", dir))

	damageSet(t, dir, "board/arena/day/2026-11-20/v1", "bob")
	r := zrank(nil, "check", "--dir", dir)
	require.Equal(t, 1, r.code)
	require.Contains(t, r.out, `board "arena", window "day", period "2026-11-20": has 1 members, and had 2 when it was closed`)
	require.Contains(t, r.errs, "a backup from before has them")
	require.NotContains(t, r.errs, "salvage")
}

// TestCheckOfGroups: where all that is wrong are scores of groups, the closing line of check names the command that corrects them, and this does.
func TestCheckOfGroups(t *testing.T) {
	dir := guilds(t)
	damageSet(t, dir, "board/arena/guilds/all/all/v1", "lions")
	r := zrank(nil, "check", "--dir", dir)
	require.Equal(t, 1, r.code)
	require.Contains(t, r.out, "Rebuild corrects them")
	require.Contains(t, r.errs, `1 problem; "zrank groups rebuild" with the name of the board corrects that`)
	require.Equal(t, "n\n1\n", must(t, "groups", "rebuild", "--dir", dir, "--format", "csv", "arena/guilds"))
	must(t, "check", "--dir", dir)
}

// TestCheckOfClosedGroups: a ban reaches the closed periods of groups, by who was in them then; who joins later does not count there. Where a score is wrong check names the command that corrects it.
func TestCheckOfClosedGroups(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	spec := write(t, filepath.Join(tmp, "spec.json"), `[{"name": "arena", "op": "sum", "windows": ["day"]}, {"name": "arena/best", "derived": {"from": "arena", "groups": "guild", "op": "best"}}]`)
	must(t, "replay", "--dir", dir, "--spec", spec, write(t, filepath.Join(tmp, "in.csv"), "time,board,member,score\n2026-01-01T00:00:00Z,arena,ada,30\n2026-01-01T00:00:01Z,arena,bea,20\n2026-01-01T00:00:02Z,arena,cyd,10\n"))
	must(t, "groups", "import", "--dir", dir, "--create", "guild", write(t, filepath.Join(tmp, "first.csv"), "member,group\ncyd,wolves\nbea,wolves\n"))
	must(t, "close", "--dir", dir, "--window", "day", "--yes", "arena")
	must(t, "groups", "import", "--dir", dir, "guild", write(t, filepath.Join(tmp, "then.csv"), "member,group\nada,wolves\n"))
	require.NotContains(t, must(t, "check", "--dir", dir), "note")
	rebuild := []string{"groups", "rebuild", "--dir", dir, "--format", "csv", "--window", "day", "--period", "2026-01-01", "arena/best"}
	require.Equal(t, "n\n0\n", must(t, rebuild...))
	top := []string{"top", "--dir", dir, "--format", "csv", "--window", "day", "--period", "2026-01-01", "arena/best"}
	require.Contains(t, must(t, top...), ",wolves,20,2\n")
	must(t, "ban", "--dir", dir, "arena", "bea")
	require.Contains(t, must(t, top...), ",wolves,10,1\n")
	must(t, "check", "--dir", dir)
	fails(t, 2, "give both", "groups", "rebuild", "--dir", dir, "--window", "day", "arena/best")
	fails(t, 2, "give both", "groups", "rebuild", "--dir", dir, "--period", "last", "arena/best")
}

// damageSet removes a member from a set, as nothing above package persist would, with facts of the set that have no digest of its entries.
func damageSet(t *testing.T, dir, set, member string) {
	t.Helper()
	s, err := persist.Open(dir, persist.Options{})
	require.NoError(t, err)
	var facts []byte // tie width u8 | version u64 | flags u8 | score tie u8 if flags have 32 | digest u64 if they have 64
	require.NoError(t, s.Replay(func(_ uint64, e wal.Effect) error {
		if e.Kind == wal.Create && e.Set == set {
			facts = slices.Clone(e.Value)
		}
		return nil
	}))
	require.Greater(t, len(facts), 9)
	if at := 10 + int(facts[9]>>5&1); facts[9]&64 != 0 {
		facts[9] &^= 64
		facts = slices.Delete(facts, at, at+8)
	}
	var damage persist.Batch
	damage.Create(set, facts)
	damage.Remove(set, []byte(member))
	_, err = s.Append(&damage)
	require.NoError(t, err)
	require.NoError(t, s.Close())
}
