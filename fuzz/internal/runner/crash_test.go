package runner

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/engines"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// TestLosing counts the commits that kills and cuts take.
func TestLosing(t *testing.T) {
	ops, err := script.Parse("add a one 1\nflush\nadd a two 2\nput p v\ncut 0\nlen a\nget p\nadd a three 3\nkill\nlen a")
	require.NoError(t, err)
	c := engines.Stored("none", engine.Options{Durability: engine.None, SnapshotBytes: -1}, 0)
	result, err := Run(c, ops)
	require.NoError(t, err)
	require.Equal(t, []string{"true", "flush", "true", "", "cut", "1", `"" false`, "true", "kill"}, result.History[:9])
	require.Equal(t, Counts{Operations: 10, Commits: 4, Kills: 1, Cuts: 1, Lost: result.Counts.Lost}, result.Counts)
	require.Contains(t, []int{2, 3}, result.Counts.Lost, "the last add may have been written by then, or not")

	result, err = Run(engines.Durable()[0], ops)
	require.NoError(t, err)
	require.Zero(t, result.Counts.Lost)
	require.Equal(t, "3", result.History[9])
}

// liar is an engine that promises commits that are not on the disk yet.
type liar struct{ *engines.Machine }

func (l liar) Promised() bool { return true }

// TestLiar expects a Difference for an engine that loses a promised commit in a power cut, between blocks or planted in a write.
func TestLiar(t *testing.T) {
	c := machine.Config{Name: "liar", Open: func() (machine.Machine, error) {
		m := engines.New(engine.Options{Durability: engine.None, SnapshotBytes: -1}, true, 0)
		return liar{m}, m.Open()
	}}
	for _, text := range []string{"add a one 1\ncut 0", "plant 0 2\nadd a one 1\nput p v\nflush"} {
		ops, err := script.Parse(text)
		require.NoError(t, err)
		_, err = Run(c, ops)
		var d *Difference
		require.ErrorAs(t, err, &d, text)
		require.Contains(t, d.Error(), "the world after one of the last")
		t.Log(d)
	}
}
