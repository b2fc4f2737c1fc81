package persist

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/format"
)

// TestRawLaterRecord: a set's record of a later snapshot may name only pages of earlier snapshots. The record with the greater base
// must win, in either order and with either sequence number 0.
func TestRawLaterRecord(t *testing.T) {
	rec := func(base uint64, snaps ...uint64) []byte {
		var w format.TableWriter
		for i, n := range snaps {
			w.Add(format.Place{Snapshot: n, ID: uint64(i + 1), Known: true})
		}
		r := format.SetRecord{Key: "a", Base: base, Pages: len(snaps)}
		format.SetTable(&r, &w)
		return format.EncodeSetRecord(&r)
	}
	old, now := rec(50, 4, 5), rec(60, 4) // snapshot 6 has dropped the page that 5 wrote
	r := &rawStore{Im: &Image{}, Keys: map[string]rawVersion{}}
	r.Add(1, format.KeySet("a"), old, 0)
	r.Add(1, format.KeySet("a"), now, 99)
	require.Equal(t, now, r.Keys[string(format.KeySet("a"))].Value)
	r = &rawStore{Im: &Image{}, Keys: map[string]rawVersion{}}
	r.Add(1, format.KeySet("a"), now, 0)
	r.Add(1, format.KeySet("a"), old, 40)
	require.Equal(t, now, r.Keys[string(format.KeySet("a"))].Value)
}
