package persist

import (
	"crypto/rand"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSizes: sets of one page share their blocks by their entries, so that together they take what the files hold; a set of many pages takes
// what SizeOf says. SetsOf returns the records of the names that exist.
func TestSizes(t *testing.T) {
	fs := MemFS()
	s := mustOpen(t, fs, Options{})
	var names []string
	total := int64(0)
	for i := range 2000 {
		names = append(names, fmt.Sprintf("set:%04d", i))
	}
	seq := mustAppend(t, s, put("big", "m", "v"))
	sn, err := s.Snapshot(seq)
	require.NoError(t, err)
	for i, name := range append(slices.Clone(names), "big") {
		entries, pages := 1+i%4, 1
		if name == "big" {
			entries, pages = 8000, 8
		}
		var all []string
		for range pages {
			page := make([]byte, 40*entries/pages) // Pebble cannot compress it
			_, _ = rand.Read(page)
			total += int64(len(page))
			all = append(all, string(page))
		}
		require.NoError(t, sn.WriteSet(name, nil, seq, entries, pagesOf(all...)))
	}
	require.NoError(t, sn.Publish())
	require.NoError(t, s.Close())
	requireSizes(t, mustOpen(t, fs, Options{}), names, total)
}

// requireSizes checks the sizes of sets with pages of total bytes.
func requireSizes(t *testing.T, s *Store, names []string, total int64) {
	t.Helper()
	require.NoError(t, s.Flush())
	require.NoError(t, s.log.DB.Pebble.Flush())
	var records []SetRecord
	for r, err := range s.SetsOf(append(append([]string{"absent"}, "big"), append(names, "set:none")...)) {
		require.NoError(t, err)
		require.Equal(t, setRecord(t, s, r.Key), r)
		records = append(records, r)
	}
	require.Len(t, records, len(names)+1)
	slices.Reverse(records)
	sizes, err := s.Sizes(records)
	require.NoError(t, err)
	sum, single := int64(0), int64(0)
	for i, r := range records {
		alone, err := s.SizeOf(r)
		require.NoError(t, err)
		if sum += sizes[i]; r.Key == "big" {
			require.Equal(t, alone, sizes[i])
		} else {
			require.Positive(t, sizes[i])
			single += alone
		}
	}
	require.Greater(t, single, 5*total/2, "alone each set takes a block")
	require.InEpsilon(t, total, sum, 0.5)
	require.NoError(t, s.Close())
	_, err = s.Sizes(records)
	require.ErrorIs(t, err, ErrClosed)
}
