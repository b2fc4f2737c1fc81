package board

import (
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/golden"
	"github.com/zrankdb/zrank/internal/matrix"
)

// The golden directories are stores as every version with another layout has written them. Each testdata/golden/<version>.tar.gz
// holds want.txt, which says everything that the store holds, closed/, a store after Close, and live/, a copy of it before,
// when everything was flushed. A version that changes the layout adds its own, and never changes an older one:
//
//	go test -run TestRow33Golden ./engine/board -args -golden v2

var newGolden = flag.String("golden", "", "write testdata/golden/<this name>.tar.gz from what this version stores")

// TestRow33Golden opens a copy of every golden directory and compares everything, then changes it, snapshots, opens it again
// and compares once more.
func TestRow33Golden(t *testing.T) {
	if *newGolden != "" {
		writeGolden(t, filepath.Join("testdata", "golden", *newGolden+".tar.gz"))
	}
	layouts, opened := golden.Each(t, func(name, dir, want string) { goldenOpens(t, name, dir, want) })
	matrix.Row(t, 33, "%d layouts, %d golden directories opened, compared, changed and opened again", layouts, opened)
}

// goldenOpens opens a store of an older version and goes on with it.
func goldenOpens(t *testing.T, name, dir, want string) {
	t.Helper()
	e := openGolden(t, dir)
	require.Equal(t, want, dump(t, e), name)
	require.NoError(t, e.Update([]string{"small", "large"}, func(tx *engine.Tx) error {
		for _, key := range []string{"small", "large"} {
			s, err := tx.Set(key)
			if err == nil {
				_, err = s.Add([]byte("new"), 1)
			}
			if err != nil {
				return err
			}
		}
		return tx.Put("wallet:new", []byte("1"))
	}))
	changed := dump(t, e)
	require.NotEqual(t, want, changed)
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	e = openGolden(t, dir)
	require.Equal(t, changed, dump(t, e), name)
	require.NoError(t, e.Close())
}

func openGolden(t *testing.T, dir string) *engine.Engine {
	t.Helper()
	e, err := engine.Open(dir, engine.Options{Clock: clock, SnapshotBytes: -1, MustExist: true})
	require.NoError(t, err)
	return e
}

// writeGolden makes a store with something of everything.
func writeGolden(t *testing.T, archive string) {
	root := t.TempDir()
	dir := filepath.Join(root, "closed")
	e, err := engine.Open(dir, engine.Options{Clock: clock, SnapshotBytes: -1})
	require.NoError(t, err)
	for part := range 2 { // opening it again moves what is in Pebble's log into tables
		require.NoError(t, fillGolden(e, part))
		require.NoError(t, e.Snapshot())
		require.NoError(t, e.Close())
		e = openGolden(t, dir)
	}
	require.NoError(t, fillGolden(e, 2))
	require.NoError(t, e.Flush())
	require.NoError(t, os.CopyFS(filepath.Join(root, "live"), os.DirFS(dir)))
	require.NoError(t, os.WriteFile(filepath.Join(root, "want.txt"), []byte(dump(t, e)), 0o600))
	require.NoError(t, e.Close())
	require.NoError(t, golden.Pack(root, archive))
}

// fillGolden makes the changes of one part of the golden store's life: before a snapshot, between two, and after.
func fillGolden(e *engine.Engine, part int) error {
	keys := []string{"dropped", "large", "small", "tied", "part " + fmt.Sprint(part), "odd \x00\xff\n/" + fmt.Sprint(part)}
	err := e.Update(keys, func(tx *engine.Tx) error {
		for _, key := range keys {
			if err := fillGoldenSet(tx, key, part); err != nil {
				return err
			}
		}
		if err := tx.Delete(fmt.Sprintf("wallet:%d", part)); err != nil {
			return err
		}
		for i := range 20 {
			if err := tx.Put(fmt.Sprintf("wallet:%d", i+10*part+1), fmt.Appendf(nil, "%d \x00 %d", part, i)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return fillGoldenBoards(e, part)
}

func fillGoldenSet(tx *engine.Tx, key string, part int) error {
	if key == "tied" {
		s, err := tx.SetTied(key, 16)
		for i := 0; i < 300 && err == nil; i++ {
			tie := binary.BigEndian.AppendUint64(make([]byte, 8), uint64((i+part)%11))
			_, err = s.AddTied(fmt.Appendf(nil, "t%d", i+100*part), tie, float64(i%7))
		}
		return err
	}
	s, err := tx.Set(key)
	if err != nil {
		return err
	}
	if key == "dropped" && part > 0 {
		_, err = s.PopMin(s.Len())
		return err
	}
	n := 40
	if key == "large" {
		n = 3000 - 1400*part
	}
	for i := range n {
		if _, err = s.Add(fmt.Appendf(nil, "player:%05d", i*7%n), float64((i*i+part)%977)-100.5); err != nil {
			return err
		}
	}
	_, err = s.Remove(fmt.Appendf(nil, "player:%05d", part))
	return err
}

// goldenSpecs are the boards of the golden store.
var goldenSpecs = []Spec{
	{Name: "sum", Op: Sum, Windows: []Window{All, Week, Day}},
	{Name: "best/low", Order: Asc, Ties: LastToReach, Windows: []Window{All, Month}},
	{Name: "last", Op: Last, Ties: ByMember},
}

func fillGoldenBoards(e *engine.Engine, part int) error {
	for _, spec := range goldenSpecs {
		b, err := Open(e, spec)
		if err != nil {
			return err
		}
		for i := range 60 {
			at := noon.Add(time.Duration(part*60+i) * time.Hour)
			if _, err := b.Submit(Submission{Member: fmt.Sprintf("p%d", i%23), Score: float64(i*i%17) + 0.25, At: at}); err != nil {
				return err
			}
		}
	}
	return nil
}

// dump writes down everything that an engine holds.
func dump(t *testing.T, e *engine.Engine) string {
	t.Helper()
	var b strings.Builder
	keys, err := e.Keys("")
	require.NoError(t, err)
	require.NoError(t, e.View(keys, func(tx *engine.Tx) error {
		for _, key := range keys {
			s, err := tx.Set(key)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "set %q tie %d version %d\n", key, s.TieWidth(), s.Version())
			for _, x := range s.Append(nil, 0, s.Len()) {
				fmt.Fprintf(&b, "  %q %v %x\n", x.Member, x.Score, x.Tie)
			}
		}
		for kv, err := range tx.Scan("") {
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "private %q %q\n", kv.Key, kv.Value)
		}
		return nil
	}))
	rankings, err := Inventory(e)
	require.NoError(t, err)
	for _, r := range rankings {
		rows, err := r.Top(100)
		require.NoError(t, err)
		fmt.Fprintf(&b, "board %q %s %s: %s\n", r.Board().Spec().Name, r.Window(), r.Period(), text(t, rows))
	}
	return b.String()
}
