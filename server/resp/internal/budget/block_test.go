package budget

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBlockTakesWhatItCounts: the heap holds BlockBytes for a block, and no more.
func TestBlockTakesWhatItCounts(t *testing.T) {
	const blocks = 100
	list := make([]*Block, 0, blocks)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range blocks {
		list = append(list, new(Block))
	}
	runtime.ReadMemStats(&after)
	require.InEpsilon(t, blocks*BlockBytes, after.TotalAlloc-before.TotalAlloc, 0.05)
	runtime.KeepAlive(list)
}

// TestList: a List returns the bytes that were appended, in order. Its account holds at most two blocks for each block's worth of bytes.
func TestList(t *testing.T) {
	b := New(1 << 30)
	a := b.Account(nil)
	var l List
	var want []byte
	for i := range 400 {
		p := bytes.Repeat([]byte{byte(i)}, i*i%5000)
		want = append(want, p...)
		if i%2 == 0 {
			require.Empty(t, l.Append(p, a, false))
			continue
		}
		block := NewBlock()
		require.True(t, block.Charge(a))
		block.Extend(copy(block.Bytes()[:len(p)], p))
		l.Push(block)
	}
	require.Equal(t, len(want), l.Len())
	require.LessOrEqual(t, b.Used(), int64(2*(len(want)/BlockSize+1)*BlockBytes))
	var got []byte
	for block := l.Pop(); block != nil; block = l.Pop() {
		got = append(got, block.Bytes()...)
		block.Free()
	}
	require.Equal(t, want, got)
	require.Zero(t, l.Len())
	require.Zero(t, b.Used())
}

// TestListWithoutMemory: Append returns the bytes that the account could not take.
func TestListWithoutMemory(t *testing.T) {
	b := New(3 * BlockBytes)
	var l List
	p := make([]byte, 5*BlockSize)
	require.Len(t, l.Append(p, b.Account(nil), false), 2*BlockSize)
	require.Equal(t, 3*BlockSize, l.Len())
	l.Free()
	require.Zero(t, b.Used())
	require.Zero(t, l.Len())
}
