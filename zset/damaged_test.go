package zset

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// TestCheckOfShortIndex takes entries out of the index alone. Check must say so, and walks must end where the index ends.
func TestCheckOfShortIndex(t *testing.T) {
	if invariants.Enabled {
		t.Skip("the damage violates Z2")
	}
	for _, member := range []string{"m%04d", "m%04d" + string(make([]byte, 9000))} {
		s, err := New(Options{})
		require.NoError(t, err)
		for i := range 300 {
			_, err := s.Add(fmt.Appendf(nil, member, i), float64(i))
			require.NoError(t, err)
		}
		s.Remove(fmt.Appendf(nil, member, 0))
		s.big().index.DeleteRange(50, s.Len())
		assert.ErrorContains(t, s.Check(), "50 entries in order, 299 members")
		assert.Len(t, s.Append(nil, 0, s.Len()), 50)
		assert.Empty(t, s.AppendRev(nil, 0, s.Len()))
	}
}
