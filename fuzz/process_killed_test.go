package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProcessKilled has another process after each kill, and none before.
func TestProcessKilled(t *testing.T) {
	made, err := processes(t)[0].open()
	require.NoError(t, err)
	m := made.(*process)
	defer func() { require.NoError(t, m.close()) }()
	first := m.cmd.Process.Pid
	require.NoError(t, m.between(Op{Kind: "snapshot"}))
	require.Equal(t, first, m.cmd.Process.Pid)
	require.NoError(t, m.between(Op{Kind: "kill"}))
	require.NotEqual(t, first, m.cmd.Process.Pid)
	require.NoError(t, m.between(Op{Kind: "plant"}))
	require.False(t, m.struck())
	_, _ = m.run(block{ops: []Op{{Kind: "len", Key: "a"}}}) // it may answer in time, or not
	require.True(t, m.struck())
	require.NoError(t, m.restart())
}
