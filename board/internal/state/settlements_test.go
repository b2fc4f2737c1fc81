package state

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/awards"
)

// TestSettlementsInOrder: settlements that come and go in any order are listed in order of time, and lists that were returned before stay as they were.
func TestSettlementsInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	line := &Timeline{}
	plan := awards.Plan{Window: "day", Tiers: []awards.Tier{{Name: "all", Everyone: true}}}
	var model []string
	var seen [][]*Settlement
	var copies [][]*Settlement
	for range 3000 {
		day := r.IntN(60)
		if r.IntN(3) > 0 {
			day = len(model) // mostly at the end
		}
		name := fmt.Sprintf("%03d", day)
		if s := line.SettlementOf(name); s != nil && r.IntN(2) == 0 {
			line.RemoveSettlement(s)
			model = slices.DeleteFunc(model, func(other string) bool { return other == name })
		} else {
			line.AddSettlement(NewSettlement("arena", "day", name, NewSettling(plan, time.Unix(int64(day), 0), time.Unix(0, 0))))
			if !slices.Contains(model, name) {
				model = append(model, name)
				slices.Sort(model)
			}
		}
		var got []string
		for _, s := range line.Settlements() {
			got = append(got, s.Period)
		}
		require.Equal(t, len(model), len(got))
		require.True(t, slices.Equal(model, got), "%v, not %v", got, model)
		seen, copies = append(seen, line.Settlements()), append(copies, slices.Clone(line.Settlements()))
	}
	for i := range seen {
		require.True(t, slices.Equal(seen[i], copies[i]))
	}
}

// TestSettlingIsDecoded: what Encode writes DecodeSettling reads, and two with the same tiers share them.
func TestSettlingIsDecoded(t *testing.T) {
	plan := awards.Plan{Window: "day", Tiers: []awards.Tier{{Name: "gold", From: 1, Payload: "x"}, {Name: "all", Everyone: true}}}
	s := NewSettling(plan, time.UnixMicro(5).UTC(), time.UnixMicro(7).UTC())
	other := plan
	other.Tiers = slices.Clone(plan.Tiers)
	other.Tiers[0].Payload = "y"
	next, err := s.Next(&other, []string{"b", "a", "b", "50%/\xff"}, "why")
	require.NoError(t, err)
	require.Equal(t, []any{2, 3, []string{"50%/\xff", "a", "b"}, false}, []any{next.Revision, len(next.Table), next.Without, next.Settled})
	text, err := next.Encode()
	require.NoError(t, err)
	back, err := DecodeSettling(text)
	require.NoError(t, err)
	require.Equal(t, next, back)
	back.Share(next)
	require.Equal(t, next, back)
	require.Same(t, &next.Table[0], &back.Table[0])
	for _, bad := range []string{"", "{}", `{"format":2}`, `{"format":1,"revision":1,"plan":{"window":"day","tiers":[{"name":"a","from":1}]},"table":[],"width":1}`} {
		_, err := DecodeSettling([]byte(bad))
		require.Error(t, err, bad)
	}
}

func FuzzDecodeSettling(f *testing.F) {
	plan := awards.Plan{Window: "day", Tiers: []awards.Tier{{Name: "gold", From: 1, Payload: "x"}, {Name: "all", Everyone: true}}}
	text, err := NewSettling(plan, time.UnixMicro(5), time.UnixMicro(7)).Encode()
	require.NoError(f, err)
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := DecodeSettling(text)
		if err != nil {
			return
		}
		again, err := s.Encode()
		require.NoError(t, err)
		back, err := DecodeSettling(again)
		require.NoError(t, err)
		require.Equal(t, s, back)
	})
}
