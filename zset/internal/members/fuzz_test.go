package members

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
)

// script runs operations on a table and on a Go map. An operation is two bytes: its kind, and the member or number that it uses.
type script struct {
	t      *testing.T
	table  *Table
	oracle map[string]want
	refs   map[uint32]string // what an owner would keep
	step   int
	cursor uint64          // of a scan under way
	stays  map[string]bool // in the table since it began, and not yielded yet
}

// scripted returns one of 256 members, of 0 to 70,000 bytes; most are short.
func scripted(i byte) string {
	lengths := [16]int{0, 1, 2, 5, 6, 7, 14, 20, 21, 60, 200, 1000, maxText - 8, maxText, maxText + 1, 70_000}
	n := lengths[i%16]
	if n > 1000 && i >= 64 {
		n %= 97
	}
	return strings.Repeat("m", n) + fmt.Sprintf("%02x", i)[:min(n+int(i), 2)]
}

func newScript(t *testing.T, width byte) *script {
	return &script{
		t: t, table: New(int(width % 6 * 8)),
		oracle: map[string]want{}, refs: map[uint32]string{}, stays: map[string]bool{},
	}
}

func (s *script) run(data []byte) {
	for ; len(data) >= 2; data = data[2:] {
		s.do(data[0], data[1])
		s.step++
	}
	compare(s.t, s.table, s.oracle)
	require.Len(s.t, s.refs, len(s.oracle))
}

// do runs one operation on the table and on the map.
func (s *script) do(op, arg byte) {
	switch op % 8 {
	case 0, 1:
		s.put(scripted(arg))
	case 2, 3:
		s.remove(scripted(arg))
	case 4:
		s.table.Shrink(int(arg), s.moved)
	case 5:
		s.scan(int(arg))
	case 6: // add many members of one length, which fill slabs and tables
		for i := range 20 * int(arg%16) {
			s.put(fmt.Sprintf("many %0*d", 4+arg/16*5, i))
		}
	case 7: // remove some of them
		for i := range 20 * int(arg%16) {
			s.remove(fmt.Sprintf("many %0*d", 4+arg/16*5, i*3%320))
		}
	}
}

// put adds a member, or changes its key and tie.
func (s *script) put(m string) {
	tie := make([]byte, s.table.tie)
	for i := range tie {
		tie[i] = byte(s.step >> (i % 3 * 8))
	}
	w := want{key: uint64(s.step) * 0x9e3779b97f4a7c15, tie: string(tie)}
	ref, ok := s.find(m)
	if ok {
		s.table.SetKey(ref, w.key)
		s.table.SetTie(ref, tie)
	} else {
		s.refs[s.table.Add(w.key, tie, []byte(m))] = m
	}
	s.oracle[m] = w
}

func (s *script) remove(m string) {
	if ref, ok := s.find(m); ok {
		delete(s.refs, ref)
		delete(s.oracle, m)
		delete(s.stays, m)
		s.table.Remove(ref)
	}
}

func (s *script) find(m string) (uint32, bool) {
	ref, key, ok := s.table.FindKey([]byte(m))
	w, had := s.oracle[m]
	require.Equal(s.t, had, ok, "step %d: %.40q", s.step, m)
	if ok {
		require.Equal(s.t, w, want{key, string(s.table.Tie(ref))}, "step %d: %.40q", s.step, m)
		require.Equal(s.t, m, s.refs[ref])
	}
	return ref, ok
}

func (s *script) moved(old, ref uint32) {
	m, ok := s.refs[old]
	require.True(s.t, ok, "step %d: a ref that is nobody's moved", s.step)
	require.True(s.t, slices.Equal(s.table.Text(old), s.table.Text(ref)), "step %d", s.step)
	require.Equal(s.t, s.table.Key(old), s.table.Key(ref), "step %d", s.step)
	delete(s.refs, old)
	s.refs[ref] = m
}

// scan continues a scan, or starts one.
func (s *script) scan(n int) {
	if s.cursor == 0 {
		clear(s.stays)
		for m := range s.oracle {
			s.stays[m] = true
		}
	}
	s.cursor = s.table.Scan(s.cursor, n, func(ref uint32) {
		m, ok := s.refs[ref]
		require.True(s.t, ok, "step %d: a ref that is nobody's", s.step)
		delete(s.stays, m)
	})
	if s.cursor == 0 {
		require.Empty(s.t, s.stays, "step %d: missed by a scan", s.step)
	}
}

// FuzzTable reads its input as a tie width and a script.
func FuzzTable(f *testing.F) {
	f.Add([]byte{0, 0, 1, 5, 1, 2, 1, 5, 0})
	f.Add([]byte{1, 6, 255, 6, 15, 5, 10, 7, 255, 7, 15, 4, 255, 5, 10, 4, 255, 6, 64, 5, 255})
	f.Add([]byte{4, 0, 15, 0, 31, 0, 47, 2, 15, 4, 9, 6, 8, 7, 8, 4, 200, 5, 1, 5, 1, 0, 13, 2, 13, 0, 14})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 0 {
			newScript(t, data[0]).run(data[1:min(len(data), 400)])
		}
	})
}

// TestScripts runs random scripts; gopter shortens a script that fails.
func TestScripts(t *testing.T) {
	parameters := gopter.DefaultTestParameters()
	parameters.MinSuccessfulTests = matrix.Pick(8, 40)
	if invariants.Enabled {
		parameters.MinSuccessfulTests = 10 // each change is checked in O(n)
	}
	properties := gopter.NewProperties(parameters)
	properties.Property("a table is a map", prop.ForAll(func(steps []uint64) bool {
		data := make([]byte, 0, 8*len(steps))
		for _, step := range steps {
			data = binary.LittleEndian.AppendUint64(data, step)
		}
		return t.Run("", func(t *testing.T) { newScript(t, byte(len(steps))).run(data) })
	}, gen.SliceOf(gen.UInt64())))
	properties.TestingRun(t)
}
