package persist

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKeptPages publishes snapshots of one set in which pages are kept, replaced, added and removed, and reads the pages each time. A
// page that does not exist cannot be kept.
func TestKeptPages(t *testing.T) {
	s := mustOpen(t, MemFS(), Options{})
	defer s.Close()
	mustAppend(t, s, put("a", "m", "v"))
	write := func(pages ...string) error { return writeOrKeep(t, s, pages) }
	want := func(pages ...string) { t.Helper(); requirePages(t, s, pages) }
	require.Error(t, write(""))
	require.NoError(t, write("a0", "b0", "c0", "d0"))
	require.NoError(t, write("", "b1", "", "d1", "e1"))
	want("a0", "b1", "c0", "d1", "e1")
	require.NoError(t, write("", "", "c2"))
	want("a0", "b1", "c2")
	require.ErrorContains(t, write("", "", "", ""), "page 3")
	require.NoError(t, write("", "", ""))
	want("a0", "b1", "c2")
	r := setRecord(t, s, "a")
	require.NoError(t, write("a5", "", ""))
	_, err := allPages(s, r)
	require.ErrorIs(t, err, ErrStale)
	many := make([]string, 40)
	for i := range many {
		many[i] = "x"
	}
	require.NoError(t, write(many...))
	require.NoError(t, write(append(make([]string, 30), "y")...))
	require.Equal(t, 31, pageKeys(t, s.log.DB))
	sn, err := s.Snapshot(1)
	require.NoError(t, err)
	require.NoError(t, sn.WriteSet("a", nil, 1, 1, func(yield func([]byte) bool) { _ = yield(nil) && yield([]byte("z")) }))
	sn.DropSet("a")
	require.NoError(t, sn.Publish())
	require.Zero(t, pageKeys(t, s.log.DB), "the kept page goes with the old record, the new one with the set")
}

// writeOrKeep publishes a snapshot of the set "a" with these pages; "" keeps the existing page.
func writeOrKeep(t *testing.T, s *Store, pages []string) error {
	sn, err := s.Snapshot(1)
	require.NoError(t, err)
	err = sn.WriteSet("a", nil, 1, 1, func(yield func([]byte) bool) {
		for _, p := range pages {
			page := []byte(p)
			if p == "" {
				page = nil
			}
			if !yield(page) {
				return
			}
		}
	})
	if err != nil {
		require.NoError(t, sn.Abort())
		return err
	}
	return sn.Publish()
}

// requirePages reads the pages of the set in every way.
func requirePages(t *testing.T, s *Store, pages []string) {
	t.Helper()
	r := setRecord(t, s, "a")
	require.Equal(t, len(pages), r.Pages)
	for from := range len(pages) + 1 {
		for to := from; to <= len(pages); to++ {
			got := []string{}
			for p, err := range s.PagesOf(r, from, to) {
				require.NoError(t, err)
				got = append(got, string(p))
			}
			require.Equal(t, pages[from:to], got)
		}
	}
	require.NoError(t, tidy(s))
}
