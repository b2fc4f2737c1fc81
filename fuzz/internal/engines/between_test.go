package engines

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// onDisk returns an engine with a disk, and three members in a set.
func onDisk(t *testing.T, o engine.Options) *Machine {
	o.SnapshotBytes = -1
	m := New(o, true, 0)
	require.NoError(t, m.Open())
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	do(t, m, "fill a m 0 1 0 3")
	return m
}

// do runs operations alone.
func do(t *testing.T, m *Machine, text string) {
	ops, err := script.Parse(text)
	require.NoError(t, err)
	for _, op := range ops {
		if op.Is(script.Between) {
			require.NoError(t, m.Between(op), op)
			continue
		}
		_, err := m.Run(script.Block{Ops: []script.Op{op}})
		require.NoError(t, err, op)
	}
}

// TestBetween checks the effect of operations between blocks on the engine. Histories do not show it: they are the same without these
// operations.
func TestBetween(t *testing.T) {
	for text, clean := range map[string]bool{"reopen": true, "kill": false, "cut 0": false, "cut 100": false} {
		m := onDisk(t, engine.Options{})
		before := m.Engine
		do(t, m, text)
		require.NotSame(t, before, m.Engine, text)
		require.Equal(t, clean, m.Engine.Recovery().Store.Clean, text)
	}
	for _, text := range []string{"backup", "restore", "salvage"} {
		m := onDisk(t, engine.Options{})
		before := m.dir
		do(t, m, text)
		require.NotEqual(t, before, m.dir, text)
	}
	m := onDisk(t, engine.Options{})
	do(t, m, "snapshot\nevict")
	st, err := m.Engine.Stats()
	require.NoError(t, err)
	require.EqualValues(t, 1, st.Snapshots.Taken)
	require.Equal(t, 1, st.Evicted)
	require.Zero(t, st.Members)
	do(t, m, "preload\nplant 0 1")
	st, err = m.Engine.Stats()
	require.NoError(t, err)
	require.Equal(t, 3, st.Members)
	require.False(t, m.Crashed())
	do(t, m, "add a one 1")
	require.True(t, m.Crashed())
}

// TestCutLoses checks how much of the unflushed data a cut leaves.
func TestCutLoses(t *testing.T) {
	for text, members := range map[string]int{"cut 0": 0, "cut 100": 3} {
		d := newDisk()
		f, err := d.fs().Create("file", "")
		require.NoError(t, err)
		dir, err := d.fs().OpenDir("")
		require.NoError(t, err)
		require.NoError(t, dir.Sync())
		_, err = f.Write([]byte("abc"))
		require.NoError(t, err)
		op, err := script.ParseOp(text)
		require.NoError(t, err)
		info, err := d.cut(op.Lo).Stat("file")
		require.NoError(t, err)
		require.EqualValues(t, members, info.Size(), text)
	}
}
