package members

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/zrankdb/zrank/internal/invariants"
)

// run applies operations, four bytes each, to a table and a map: what, which member (two bytes), which key.
func run(data []byte) error {
	table, oracle := New(8), map[string]want{}
	refs := map[string]uint32{}
	moved := func(old, ref uint32) { refs[string(table.Member(ref))] = ref }
	for step := 0; len(data) >= 4; step++ {
		op, i, key := data[0]%8, int(binary.LittleEndian.Uint16(data[1:])), uint64(data[3])
		data = data[4:]
		member := sized(i % 700)
		tie := binary.BigEndian.AppendUint64(nil, key)
		ref, ok := table.Find([]byte(member))
		if _, had := oracle[member]; had != ok || ok && ref != refs[member] {
			return fmt.Errorf("step %d: %.20q found at %#x %v, want %#x %v", step, member, ref, ok, refs[member], had)
		}
		switch {
		case op < 4 && !ok:
			refs[member], oracle[member] = table.Add(key, tie, []byte(member)), want{key, string(tie)}
		case op < 3:
			table.SetKey(ref, key)
			table.SetTie(ref, tie)
			oracle[member] = want{key, string(tie)}
		case op < 7 && ok:
			table.Remove(ref)
			delete(oracle, member)
			delete(refs, member)
			table.Shrink(int(key%5), moved)
		case op == 7:
			table.Shrink(100, moved)
		}
	}
	return agree(table, oracle)
}

// sized returns one of many members: most are short, a few have the lengths at which records change their kind.
func sized(i int) string {
	lengths := []int{0, 300, maxText - 11, maxText - 8, 70_000}
	if i%97 < len(lengths) {
		return fmt.Sprintf("%03d", i) + strings.Repeat("r", lengths[i%97])
	}
	return fmt.Sprintf("%03d", i) + strings.Repeat("s", i%40)
}

// agree compares a table with the map, by look-up and by scan.
func agree(table *Table, oracle map[string]want) error {
	if number, found := table.verify(); number != "" {
		return fmt.Errorf("violates %s: %s", number, found)
	}
	scanned := map[string]bool{}
	table.Scan(0, 1<<30, func(ref uint32) { scanned[string(table.Member(ref))] = true })
	if table.Len() != len(oracle) || len(scanned) != len(oracle) {
		return fmt.Errorf("%d members, %d scanned, want %d", table.Len(), len(scanned), len(oracle))
	}
	for member, w := range oracle {
		ref, ok := table.Find([]byte(member))
		if !ok || table.Key(ref) != w.key || string(table.Tie(ref)) != w.tie || !scanned[member] {
			return fmt.Errorf("%.20q: %v, scanned %v", member, ok, scanned[member])
		}
	}
	return nil
}

// TestProperty lets gopter choose the operations and shrink those that fail.
func TestProperty(t *testing.T) {
	parameters := gopter.DefaultTestParameters()
	parameters.MinSuccessfulTests = 60
	parameters.MaxSize = 4000
	if invariants.Enabled {
		parameters.MaxSize = 1000
	}
	properties := gopter.NewProperties(parameters)
	properties.Property("a table equals a map", prop.ForAll(
		func(data []byte) (string, error) { return "", run(data) }, gen.SliceOf(gen.UInt8()),
	))
	properties.TestingRun(t)
}

// FuzzTable reads its input as a list of operations; bytes left over are ignored.
func FuzzTable(f *testing.F) {
	f.Add([]byte("\x00\x01\x00a\x05\x01\x00b"))
	f.Add([]byte(strings.Repeat("\x00\x01\x02\x03\x01\x05\x07\x09\x04\x01\x02\x03\x07\x00\x00\x00", 40)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := run(data); err != nil {
			t.Fatal(err)
		}
	})
}
