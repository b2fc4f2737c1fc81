package workload

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestALoadIsItsSeed(t *testing.T) {
	a, b, c := New(500, 1000, 7), New(500, 1000, 7), New(500, 1000, 8)
	assert.Equal(t, a, b)
	assert.NotEqual(t, a.Build, c.Build)
}

func TestALoadBuildsEveryMemberOnce(t *testing.T) {
	const n = 500
	l := New(n, 1000, 1)
	seen := map[string]bool{}
	for i := range l.Build.Len() {
		k := l.Build.Key(i)
		assert.Len(t, k.Raw, MemberLen)
		assert.Equal(t, k.Name, string(k.Raw))
		seen[k.Name] = true
	}
	assert.Len(t, seen, n)
	for _, s := range []Stream{l.Lookup, l.Rank, l.Update, l.Incr, l.Churn, l.FractionUpdate} {
		assert.Equal(t, 1000, s.Len())
		for i := range s.Len() {
			if !seen[s.Key(i).Name] {
				t.Fatalf("%q was never built", s.Key(i).Name)
			}
		}
	}
	for _, p := range l.Pages {
		assert.LessOrEqual(t, int(p.Hi), n)
		assert.Equal(t, uint32(PageLen), p.Hi-p.Lo)
	}
}

func TestFractionsAreOfTheSameMembers(t *testing.T) {
	l := New(300, 1000, 1)
	whole := 0
	for i := range l.Build.Len() {
		score := l.FractionBuild.Score(i)
		assert.Equal(t, l.Build.Key(i), l.FractionBuild.Key(i))
		assert.True(t, score >= 0 && score < 1)
		if score == 0 {
			whole++
		}
	}
	assert.LessOrEqual(t, whole, 1)
}

func TestNineOfTenGo(t *testing.T) {
	const n = 1000
	l := New(n, 1000, 1)
	assert.Len(t, l.Gone, n*9/10)
	assert.Len(t, l.Rest, n/10)
	seen := map[uint32]bool{}
	for _, i := range append(l.Gone, l.Rest...) {
		assert.Less(t, int(i), n)
		seen[i] = true
	}
	assert.Len(t, seen, n)
}

func TestMembersHaveTheirLength(t *testing.T) {
	assert.Equal(t, "player:0000000000000", string(AppendMember(nil, 0)))
	assert.Equal(t, "player:0000099999999", string(AppendMember(nil, 99_999_999)))
}

func TestIncrementsAreSkewed(t *testing.T) {
	l := New(1000, 10_000, 1)
	counts := map[string]int{}
	most := 0
	for i := range l.Incr.Len() {
		name := l.Incr.Key(i).Name
		counts[name]++
		most = max(most, counts[name])
	}
	assert.Greater(t, most, 100, "the hottest member, of a thousand, gets more than 10 uniform shares")
}
