package peers

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

func TestPeersAgreeWithTheModel(t *testing.T) {
	for _, p := range All {
		t.Run(p.Name, func(t *testing.T) {
			if program := p.Lacks(); program != "" {
				t.Skipf("no %s in the path", program)
			}
			t.Parallel()
			require.NoError(t, Check(p, t.TempDir()))
		})
	}
}

// offByOne is a board with a wrong rank, to see that the gate would notice.
type offByOne struct{ *ours }

func (b offByOne) Rank(k workload.Key) (int, bool) {
	rank, ok := b.ours.Rank(k)
	return rank + 1, ok
}

func TestTheGateNoticesAWrongRank(t *testing.T) {
	wrong := Peer{Name: "wrong", board: func() Board { return offByOne{newZset().(*ours)} }}
	assert.ErrorContains(t, Check(wrong, ""), "wrong differs from the model at n=40: after the build: rank of")
}

// A board that took over the caller's text would win look-ups by comparing addresses, and get its members for nothing.
func TestStringPeersOwnTheirMembers(t *testing.T) {
	three := workload.NewStream(3, func(int) int { return 7 }, func() float64 { return 1 })
	for _, empty := range []func() Board{newCounted, newTidwall, newGoogle, newWorkiva, newHuandu} {
		b := empty()
		b.Insert(three.Key(0), 1)
		b.Set(three.Key(1), 2)
		b.Incr(three.Key(2), 3)
		require.Equal(t, 1, b.Page(0, 1))
		owned, score := b.Row(0)
		assert.Equal(t, 5.0, score)
		for i := range three.Len() {
			assert.NotSame(t, unsafe.StringData(three.Key(i).Name), unsafe.StringData(owned))
		}
	}
}

func TestEscapes(t *testing.T) {
	for _, member := range []string{"ada", "", `a"b\c`, "a\nb\x01", "Zoë", "\xff", "<&>"} {
		dst := JSON.end(appendEntry(JSON.begin(nil, 1), JSON, member, -1.5e300))
		var got []struct {
			Member string
			Score  float64
		}
		require.NoError(t, json.Unmarshal(dst, &got), "%s", dst)
		assert.Equal(t, strings.ToValidUTF8(member, "\ufffd"), got[0].Member)
		assert.Equal(t, -1.5e300, got[0].Score)
		assert.Equal(t, dst, JSON.end(appendEntry(JSON.begin(nil, 1), JSON, []byte(member), -1.5e300)))
	}
}

func TestSelect(t *testing.T) {
	chosen, missing, err := Select([]string{"tidwall", " map"})
	require.NoError(t, err)
	assert.Empty(t, missing)
	var names []string
	for _, p := range chosen {
		names = append(names, p.Name)
	}
	assert.Equal(t, []string{"zset", "map", "tidwall"}, names)
}

func TestAPeerWhoseProgramIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	chosen, missing, err := Select(nil)
	require.NoError(t, err)
	assert.Len(t, chosen, len(All)-1)
	assert.Equal(t, []string{"redis-server"}, missing)
	_, _, err = Select([]string{"redis"})
	assert.EqualError(t, err, "peer redis: there is no redis-server in the path")
}

func TestKeysOfPebbleOrderAsScoresDo(t *testing.T) {
	scores := []float64{math.Inf(-1), -1e300, -7, -0.5, 0, 5e-324, 0.5, 7, 1e300, math.Inf(1)}
	for i, score := range scores {
		assert.Equal(t, score, whole(sortable(score)))
		if i > 0 {
			assert.Less(t, sortable(scores[i-1]), sortable(score))
		}
	}
}
