package peers

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

func TestPeersAgreeWithTheModel(t *testing.T) {
	for _, p := range All {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, Check(p))
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
	wrong := Peer{Name: "wrong", New: func() Board { return offByOne{newZset().(*ours)} }}
	assert.ErrorContains(t, Check(wrong), "wrong differs from the model at n=40: after the build: rank of")
}

// A board that took over the caller's text would win look-ups by comparing addresses, and get its members for nothing.
func TestStringPeersOwnTheirMembers(t *testing.T) {
	three := workload.NewStream(3, func(int) int { return 7 }, func() float64 { return 1 })
	for _, empty := range []func() Board{newCounted, newTidwall, newGoogle, newWorkiva, newHuandu} {
		b := empty().(Ordered)
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

func TestSelect(t *testing.T) {
	chosen, err := Select([]string{"tidwall", " map"})
	require.NoError(t, err)
	var names []string
	for _, p := range chosen {
		names = append(names, p.Name)
	}
	assert.Equal(t, []string{"zset", "map", "tidwall"}, names)

	all, err := Select(nil)
	require.NoError(t, err)
	assert.Len(t, all, len(All))

	_, err = Select([]string{"redis"})
	assert.ErrorContains(t, err, `no peer "redis"; there are zset, map, counted, tidwall, google, bytedance, workiva, huandu`)
}
