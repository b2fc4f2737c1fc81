package archive

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/cutcontext"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/internal/testclock"
)

// writeGroups returns a kind of groups as a file.
func (w *world) writeGroups(kind string) string {
	w.t.Helper()
	var b bytes.Buffer
	r, err := WriteGroups(w.t.Context(), &b, w.boards, kind)
	require.NoError(w.t, err)
	require.Equal(w.t, []string{kind}, r.Kinds)
	return b.String()
}

// strange makes groups with strange names, with metadata, without members, and of which some are gone.
func (w *world) strange() board.Groups {
	ctx := context.Background()
	g, err := w.boards.DefineGroups(ctx, "guild")
	require.NoError(w.t, err)
	for i, group := range []string{"red", "\xff", "base64:", "gone", "a\x00b", "<empty>"} {
		require.NoError(w.t, g.Create(ctx, group, bytes.Repeat([]byte{byte(i)}, i)))
		w.clock.Add(time.Minute)
		for n := range 3 * (5 - i) {
			require.NoError(w.t, g.Join(ctx, fmt.Sprint("m\xfe", i, " ", n), group))
		}
	}
	require.NoError(w.t, g.Leave(ctx, "m\xfe0 4"))
	require.NoError(w.t, g.Dissolve(w.t.Context(), "gone"))
	return g
}

// many is strange with so many members that several commits store them.
func (w *world) many() {
	g := w.strange()
	var list []board.Joining
	for i := range 600 {
		list = append(list, board.Joining{Member: fmt.Sprint("many", i), Group: []string{"red", "<empty>"}[i%2]})
	}
	require.NoError(w.t, g.JoinAll(w.t.Context(), list, nil))
}

// TestGroups writes a kind of groups and makes it again; it lives on as the one that was written.
func TestGroups(t *testing.T) {
	clock := testclock.New()
	w, o := newWorld(t, clock), newWorld(t, clock)
	g := w.strange()
	text := w.writeGroups("guild")
	r := o.read(text)
	require.Equal(t, Report{Kinds: []string{"guild"}, Groups: 5, Members: 14 + 12 + 9 + 3}, r)
	check := func() board.Groups {
		t.Helper()
		require.Equal(t, text, o.writeGroups("guild"))
		x, err := o.boards.Groups(t.Context(), "guild")
		require.NoError(t, err)
		all, err := g.All(t.Context())
		require.NoError(t, err)
		also, err := x.All(t.Context())
		require.NoError(t, err)
		require.Equal(t, all, also)
		for _, i := range all {
			a, err := g.Members(t.Context(), i.Name, "", 100)
			require.NoError(t, err)
			b, err := x.Members(t.Context(), i.Name, "", 100)
			require.NoError(t, err)
			require.Equal(t, a, b)
			ai, err := g.Info(t.Context(), i.Name)
			require.NoError(t, err)
			bi, err := x.Info(t.Context(), i.Name)
			require.NoError(t, err)
			require.Equal(t, ai, bi)
		}
		_, err = o.boards.Check(t.Context(), nil)
		require.NoError(t, err)
		return x
	}
	check()
	o.close()
	o.open()
	x := check()
	for _, of := range []board.Groups{g, x} { // both go on
		require.NoError(t, of.Create(t.Context(), "gone", nil))
		require.NoError(t, of.Join(t.Context(), "m\xfe3 1", "gone"))
		require.NoError(t, of.Move(t.Context(), "m\xfe0 1", "gone"))
		require.NoError(t, of.Dissolve(t.Context(), "red"))
	}
	require.Equal(t, w.writeGroups("guild"), o.writeGroups("guild"))
	_, err := WriteGroups(t.Context(), &bytes.Buffer{}, w.boards, "club")
	require.ErrorIs(t, err, board.ErrNoGroups)
}

// TestGroupsWithBoards reads groups, the board of their members and a board of them where there is nothing.
func TestGroupsWithBoards(t *testing.T) {
	clock := testclock.New()
	w, o := newWorld(t, clock), newWorld(t, clock)
	w.guilds("red", "red", "red", "blue", "blue", "green", "green", "blue")
	spec := specOfTest("sum")
	_, err := w.boards.Define(t.Context(), spec)
	require.NoError(t, err)
	text := func(w *world) (text string) {
		for _, d := range derivedSpecs() {
			text += w.write(d.Name)
		}
		return w.writeGroups("guild") + w.write("sum") + text
	}
	for _, d := range derivedSpecs() {
		_, err := w.boards.Define(t.Context(), d)
		require.NoError(t, err)
	}
	w.play(spec, 3)
	file := text(w)
	o.read(file)
	require.Equal(t, file, text(o))

	_, err = Read(t.Context(), strings.NewReader(file), o.boards, Options{})
	require.ErrorIs(t, err, board.ErrGroupExists)
	guilds, err := o.boards.Groups(t.Context(), "guild")
	require.NoError(t, err)
	require.NoError(t, guilds.Leave(t.Context(), members[0]))
	r, err := Read(t.Context(), strings.NewReader(file), o.boards, Options{SkipExisting: true})
	require.NoError(t, err)
	require.Equal(t, []string{"guild"}, r.SkippedKinds)
	require.Len(t, r.Skipped, 4)
	_, in, err := guilds.Of(t.Context(), members[0])
	require.NoError(t, err)
	require.False(t, in) // the groups that there are stay as they are
}

// TestGroupsBad reads groups that cannot be, and that are cut off.
func TestGroupsBad(t *testing.T) {
	w, o := newWorld(t, testclock.New()), newWorld(t, testclock.New())
	w.strange()
	text := w.writeGroups("guild")
	lines := strings.SplitAfter(text, "\n")
	refused := func(text string, want error, why string) {
		t.Helper()
		r, err := Read(t.Context(), strings.NewReader(text), o.boards, Options{})
		require.ErrorIs(t, err, ErrFile, text)
		if want != nil {
			require.ErrorIs(t, err, want)
		}
		require.ErrorContains(t, err, why)
		require.Empty(t, r.Kinds)
		require.Empty(t, o.kinds())
	}
	for n := range len(lines) - 1 {
		for _, times := range []int{0, 2} {
			if n < len(lines)-2 {
				refused(strings.Join(slices.Concat(lines[:n], slices.Repeat(lines[n:n+1], times), lines[n+1:]), ""), nil, "")
			}
		}
		refused(strings.Join(lines[:n+1], "")[:len(strings.Join(lines[:n+1], ""))-1], nil, "EOF")
	}
	of := func(lines ...string) string {
		return strings.Join(slices.Concat([]string{`{"groups":"k","format":1}`}, lines, []string{fmt.Sprintf(`{"ended":"k","lines":%d}`, len(lines)+2), ""}), "\n")
	}
	group := func(name string) string { return `{"group":"` + name + `","created":"2026-11-20T12:00:00Z"}` }
	long := strings.Repeat("x", board.MaxMember+1)
	for _, x := range []struct {
		text string
		want error
		why  string
	}{
		{of(group("a"), `{"joined":"m"}`, group("b"), `{"joined":"m"}`), board.ErrInGroup, `"m"`},
		{of(group("a"), group("a")), board.ErrGroupExists, `"a"`},
		{of(group("")), board.ErrGroups, "0 bytes"},
		{of(group(long)), board.ErrGroups, "1025 bytes"},
		{of(group("a"), `{"joined":""}`), board.ErrMember, ""},
		{of(group("a"), `{"joined":"`+long+`"}`), board.ErrMember, ""},
		{of(strings.Replace(group("a"), `"}`, `","meta":"`+strings.Repeat("AAAA", 1<<16)+`"}`, 1)), board.ErrMeta, ""},
		{of(`{"joined":"m"}`), nil, "before the first group"},
		{of(`{"group":"a"}`), nil, "no time"},
		{of(`{"window":"all"}`), nil, "a line of a board"},
		{strings.ReplaceAll(of(), `"k"`, `""`), board.ErrGroups, ""},
		{strings.ReplaceAll(of(), `"format":1`, `"format":2`), nil, "number 2"},
		{strings.ReplaceAll(of(), `"ended":"k"`, `"ended":"l"`), nil, `the end of "l"`},
		{`{"groups":"k","format":1}` + "\n" + of(), nil, "before the end"},
		{`{"group":"a"}` + "\n", nil, "before the first board"},
		{`{"board":{"name":"x"},"format":1}` + "\n" + `{"joined":"a"}` + "\n", nil, "a line of groups"},
		{`{"board":{"name":"x"},"format":1}` + "\n" + of(), nil, "before the end"},
	} {
		refused(x.text, x.want, x.why)
	}
	_, err := o.boards.Board(t.Context(), "x")
	require.ErrorIs(t, err, board.ErrNoBoard)
}

// TestGroupsCut cuts the power while groups are made, at every change of the disk: they are there whole or not at all, and what is left of them does no harm.
func TestGroupsCut(t *testing.T) {
	w := newWorld(t, testclock.New())
	w.many()
	text := w.writeGroups("guild")

	var disks []*memfs.FS
	mem, on := memfs.NewCrashable(), false
	e, err := engine.Open("data", engine.Options{FS: powercut.Before(mem, func(errorfs.Op) {
		if on {
			disks = append(disks, powercut.Clone(mem, 50*(len(disks)%3), uint64(len(disks))))
		}
	})})
	require.NoError(t, err)
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	on = true
	_, err = Read(t.Context(), strings.NewReader(text), boards, Options{})
	require.NoError(t, err)
	require.NoError(t, e.Barrier(context.Background()))
	on = false
	disks = append(disks, powercut.Clone(mem, 0, 1))
	require.NoError(t, boards.Close())
	require.NoError(t, e.Close())
	there := 0
	for i, disk := range disks {
		x := &world{t: t, fs: disk, clock: testclock.New()}
		x.open()
		if len(x.kinds()) > 0 {
			there++
			require.Equal(t, text, x.writeGroups("guild"), i)
		} else if i%2 == 0 {
			_, err := x.boards.DefineGroups(t.Context(), "guild")
			require.NoError(t, err)
			empty := x.writeGroups("guild")
			require.Equal(t, 2, strings.Count(empty, "\n"), empty)
			x.close()
			x.open()
			require.Equal(t, empty, x.writeGroups("guild"))
		} else {
			x.read(text)
			require.Equal(t, text, x.writeGroups("guild"), i)
		}
		_, err := x.boards.Check(t.Context(), nil)
		require.NoError(t, err)
		x.close()
	}
	require.Positive(t, there)
}

// TestGroupsCancelled ends the context at every moment at which Read looks at it: then there is no such kind, and another Read makes it.
func TestGroupsCancelled(t *testing.T) {
	w, o := newWorld(t, testclock.New()), newWorld(t, testclock.New())
	w.many()
	text := w.writeGroups("guild")
	before := strings.Count(text, "\n") - 1 // Read looks once for each line
	made, n, most := false, before, 0
	for ; !made; n++ {
		r, err := Read(cutcontext.After(n), strings.NewReader(text), o.boards, Options{})
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
		}
		made = len(r.Kinds) > 0
		require.Len(t, o.kinds(), len(r.Kinds))
		if most = max(most, o.stored()); !made && n%2 == 0 { // what is left goes when the boards are opened, or when groups of the kind are made
			o.close()
			o.open()
			require.Zero(t, o.stored())
		}
	}
	require.Greater(t, n, before+3) // and some times while the groups are stored
	require.Greater(t, most, 256)   // of which it leaves some
	require.Equal(t, before-1, o.stored())
	require.Equal(t, text, o.writeGroups("guild"))
	o.close()
	o.open()
	require.Equal(t, text, o.writeGroups("guild"))
}

// TestGroupsCutShort makes fewer groups of a kind after more of it have been begun.
func TestGroupsCutShort(t *testing.T) {
	w, o := newWorld(t, testclock.New()), newWorld(t, testclock.New())
	w.many()
	text := w.writeGroups("guild")
	for n := strings.Count(text, "\n"); o.stored() <= 256; n++ { // until some are left
		_, err := Read(cutcontext.After(n), strings.NewReader(text), o.boards, Options{})
		require.ErrorIs(t, err, context.Canceled)
	}
	little := `{"groups":"guild","format":1}` + "\n" + `{"group":"a","created":"2026-11-20T12:00:00Z"}` + "\n" + `{"joined":"m"}` + "\n" + `{"ended":"guild","lines":4}` + "\n"
	o.read(little)
	require.Equal(t, little, o.writeGroups("guild"))
	o.close()
	o.open()
	require.Equal(t, little, o.writeGroups("guild"))
	require.Equal(t, 2, o.stored())
}

// stored returns how many groups and members of groups are stored, of kinds that there are not too.
func (w *world) stored() (n int) {
	require.NoError(w.t, w.e.View(context.Background(), func(tx *engine.Tx) error {
		for _, prefix := range []string{"board.group\x00", "board.joined\x00"} {
			for _, err := range tx.Scan(prefix) {
				require.NoError(w.t, err)
				n++
			}
		}
		return nil
	}))
	return n
}

// kinds returns the kinds of groups.
func (w *world) kinds() []string {
	kinds, err := w.boards.GroupKinds(w.t.Context())
	require.NoError(w.t, err)
	return kinds
}
