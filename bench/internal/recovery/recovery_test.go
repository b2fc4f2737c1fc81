package recovery

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

// built returns options for a directory with n members.
func built(t *testing.T, n int) Options {
	o := Options{Stage: StageBuild, Dir: filepath.Join(t.TempDir(), "e"), N: n, Seed: 1}
	f, err := Run(o)
	require.NoError(t, err)
	assert.Positive(t, f[figure.Disk])
	return o
}

func TestOpenFindsEveryMember(t *testing.T) {
	o := built(t, 12_345)
	o.Stage, o.Cold = StageOpen, true
	f, err := Run(o)
	require.NoError(t, err)
	assert.Positive(t, f[figure.Open])
	assert.Positive(t, f[figure.Touch])
	assert.Zero(t, f[figure.Commits])
	o.N++
	_, err = Run(o)
	assert.ErrorContains(t, err, "12345 members of 12346 are there")
}

// brokenPipe takes the line and refuses to take more, which ends Fill at the place where a kill does.
type brokenPipe struct{ text string }

var errBroken = errors.New("broken pipe")

func (b *brokenPipe) Write(p []byte) (int, error) {
	b.text += string(p)
	return 0, errBroken
}

func TestFillSaysWhenTheLogIsLongEnough(t *testing.T) {
	for _, beside := range []bool{false, true} {
		o := built(t, 1000)
		o.Stage, o.LogBytes, o.Beside = StageFill, 100_000, beside
		var out brokenPipe
		require.ErrorIs(t, Fill(o, &out), errBroken)
		assert.Equal(t, Ready+"\n", out.text)
	}
}

func TestStall(t *testing.T) {
	for _, still := range []bool{false, true} {
		o := built(t, 2000)
		o.Stage, o.Level, o.Calls, o.Still = StageStall, "interval", 40, still
		f, err := Run(o)
		require.NoError(t, err)
		assert.Positive(t, f[figure.Calls])
		assert.Equal(t, still, f[figure.Snapshots] == 0)
	}
}

func TestAmplify(t *testing.T) {
	for _, zipf := range []bool{false, true} {
		o := built(t, 2000)
		o.Stage, o.LogBytes, o.Zipf = StageAmplify, 200_000, zipf
		f, err := Run(o)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, f[figure.Log], 2*200_000.0)
		assert.Positive(t, f[figure.PagesPerLog])
		assert.Greater(t, f[figure.FilesPerLog], 1+f[figure.PagesPerLog]/2, "the log, and the pages")
	}
}

func TestEveryMemberIsBuiltOnce(t *testing.T) {
	const n = 1000
	seen := map[string]bool{}
	l := newLoad(n, 1)
	for lo := 0; lo < n; lo += 300 {
		s := l.drawAll(lo, min(lo+300, n))
		for i := range s.Len() {
			seen[s.Key(i).Name] = true
		}
	}
	assert.Len(t, seen, n)
	s := l.zipf().draw(5000)
	hits := map[string]int{}
	most := 0
	for i := range s.Len() {
		name := s.Key(i).Name
		require.True(t, seen[name])
		hits[name]++
		most = max(most, hits[name])
	}
	assert.Greater(t, most, 250, "the hottest of 1,000 gets more than 50 uniform shares")
}
