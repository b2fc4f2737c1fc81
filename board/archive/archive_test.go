package archive

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/testclock"
)

// TestCycle writes boards of every kind, makes them again in a new store, and writes them again: to the same bytes, before and after the new store was closed.
func TestCycle(t *testing.T) {
	for i, spec := range specsOfTests() {
		t.Run(spec.Name, func(t *testing.T) {
			clock := testclock.New()
			w := newWorld(t, clock)
			w.play(spec, uint64(i))
			first := w.write(spec.Name)
			o := newWorld(t, clock)
			r := o.read(first)
			require.Equal(t, []string{spec.Name}, r.Boards)
			require.Equal(t, first, o.write(spec.Name))
			same(t, w.board(spec.Name), o.board(spec.Name))
			_, err := o.boards.Check(t.Context(), nil)
			require.NoError(t, err)
			o.close()
			o.open()
			require.Equal(t, first, o.write(spec.Name))
			same(t, w.board(spec.Name), o.board(spec.Name))
			goesOn(t, w, o, spec.Name)
			for range 50 { // results leave rolling windows
				clock.Add(time.Hour)
				for _, x := range []*world{w, o} {
					_, err := x.boards.CloseDue(t.Context())
					require.NoError(t, err)
					_, err = x.boards.SettleDue(t.Context())
					require.NoError(t, err)
				}
				if strings.HasPrefix(spec.Name, "rolling") {
					same(t, w.board(spec.Name), o.board(spec.Name))
				}
			}
			require.Equal(t, w.write(spec.Name), o.write(spec.Name))
			if spec.Top != nil { // the others are in buckets again
				keys, err := o.e.Keys("board/" + spec.Name + "/.tail.")
				require.NoError(t, err)
				require.NotEmpty(t, keys)
			}
		})
	}
}

// goesOn submits the same results to both boards, shows who was hidden, and compares them once more: the new one has all that it needs to go on.
func goesOn(t *testing.T, w, o *world, name string) {
	t.Helper()
	r := rand.New(rand.NewPCG(9, 9))
	a, b := w.board(name), o.board(name)
	for i := range 40 {
		member := []string{"ada", "bea", "eve", "new"}[r.IntN(4)]
		score := board.Ints(int64(r.IntN(6)))
		if name == "names" {
			score = board.Floats(float64(r.IntN(6)))
		} else if name == "computed" || name == "rolling sum" {
			score = board.Ints(int64(r.IntN(3)), 1)
		} else if name == "columns" {
			score = board.Values(board.Decimal(int64(r.IntN(300)), 2), board.Int(1), board.Float(1))
		}
		sub := board.Submission{Member: member, Score: score, Once: fmt.Sprint("4/", i*2)}
		x, err := a.Submit(t.Context(), sub)
		require.NoError(t, err)
		y, err := b.Submit(t.Context(), sub)
		require.NoError(t, err)
		for _, row := range []*board.Row{&x.After, &y.After} {
			if row.Beyond { // its rank is about right, by what each board has counted
				row.Rank, row.Within = 0, 0
			}
		}
		require.Equal(t, x.After, y.After, "%d: %v", i, sub)
		require.Equal(t, x.Duplicate, y.Duplicate)
		if i > 15 {
			w.clock.Add(time.Microsecond)
		}
	}
	for _, x := range []board.Board{a, b} {
		_, err := x.Show(t.Context(), "bea", action)
		require.NoError(t, err)
		_, err = x.Unban(t.Context(), "dov", action)
		require.NoError(t, err)
	}
	same(t, a, b)
}

// TestBad gives Read a file that is cut off after each byte, and one with each line left out or twice: what it makes is whole, and else there is nothing.
func TestBad(t *testing.T) {
	clock := testclock.New()
	w := newWorld(t, clock)
	w.play(specOfTest("paid"), 1)
	text := w.write("paid")
	o := newWorld(t, clock)
	refused := func(text, why string) {
		t.Helper()
		_, err := Read(t.Context(), strings.NewReader(text), o.boards, Options{})
		line := new(LineError)
		require.ErrorAs(t, err, &line, text)
		require.ErrorIs(t, err, ErrFile)
		require.ErrorContains(t, err, why)
		require.Empty(t, o.boards.All(), "%v", err)
	}
	for n := 1; n < len(text); n += 97 {
		refused(text[:n], "unexpected EOF")
	}
	refused(text[:len(text)-1], "unexpected EOF")
	lines := strings.SplitAfter(text, "\n")
	for i := range len(lines) - 1 {
		refused(strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), ""), "")
		if i > 0 && i < len(lines)-2 { // behind its end a board is whole
			refused(strings.Join(append(append([]string{}, lines[:i+1]...), lines[i:]...), ""), "")
		}
	}
	for wrong, why := range map[string]string{
		"x\n": "invalid", "{}\n": "says 0 things", `{"member":"a","once":"b"}` + "\n": "says 2 things", `{"ended":"x"}` + "\n": "before the first", "\n": "EOF",
		`{"board":{"name":"x"},"format":2}` + "\n": "number 2", `{"board":{"name":""},"format":1}` + "\n": "name", `{"board":{"name":"x","derived":{"from":"y","groups":"z"}},"format":1}` + "\n": "no such kind",
		`{"nothing":1}` + "\n": "unknown field", lines[0] + `{"period":"x"}` + "\n": "before the first window", lines[0] + `{"window":"week"}` + "\n" + `{"period":"x"}` + "\n": "window",
		lines[0] + `{"window":"day"}` + "\n" + `{"period":"2026-11-31"}` + "\n": "period", lines[0] + `{"window":"day"}` + "\n" + `{"period":"2026-11-20"}` + "\n": "begins at",
		lines[0] + lines[0]: "begins before the end", strings.Repeat("x", MaxLine+1): "longer than",
	} {
		refused(wrong, why)
	}
	o.read(text)
	_, err := Read(t.Context(), strings.NewReader(text), o.boards, Options{})
	require.ErrorIs(t, err, board.ErrBoardExists)
	require.Equal(t, text, o.write("paid"))

	w.play(specOfTest("plain"), 2)
	_, err = o.boards.SettleDue(t.Context()) // days have passed
	require.NoError(t, err)
	paid, plain := o.write("paid"), w.write("plain")
	both := text + plain
	r, err := Read(t.Context(), strings.NewReader(both), o.boards, Options{SkipExisting: true})
	require.NoError(t, err)
	require.Equal(t, Report{Boards: []string{"plain"}, Skipped: []string{"paid"}, Periods: r.Periods, Entries: r.Entries}, r)
	require.Equal(t, paid+plain, o.write("paid")+o.write("plain"))
	_, err = Read(t.Context(), strings.NewReader(text[:len(text)-2]), o.boards, Options{SkipExisting: true})
	require.ErrorIs(t, err, ErrFile)
}

// TestLines gives Read files of every kind of board without some line, and with some line twice.
func TestLines(t *testing.T) {
	for i, spec := range specsOfTests() {
		clock := testclock.New()
		w, o := newWorld(t, clock), newWorld(t, clock)
		w.play(spec, uint64(i))
		lines := strings.SplitAfter(w.write(spec.Name), "\n")
		for n := i % 5; n < len(lines)-2; n += 5 {
			for _, with := range []int{0, 2} {
				text := strings.Join(slices.Concat(lines[:n], slices.Repeat(lines[n:n+1], with), lines[n+1:]), "")
				_, err := Read(t.Context(), strings.NewReader(text), o.boards, Options{})
				require.ErrorIs(t, err, ErrFile, "%s, %d times %s", spec.Name, with, lines[n])
				require.Empty(t, o.boards.All())
			}
		}
		keys, err := o.e.Keys("board")
		require.NoError(t, err)
		require.Empty(t, keys)
	}
}

// TestRefused writes what cannot be written, or changes meanwhile.
func TestRefused(t *testing.T) {
	w := newWorld(t, testclock.New())
	w.play(specOfTest("sum"), 1)
	_, err := Write(t.Context(), io.Discard, w.boards, "sum", Options{})
	require.ErrorIs(t, err, ErrLeftOut)
	require.ErrorContains(t, err, "journal")
	_, err = Write(t.Context(), io.Discard, w.boards, "nothing", Options{})
	require.ErrorIs(t, err, board.ErrNoBoard)
	b := w.board("sum")
	submit := func(int) {
		_, err := b.Apply(t.Context(), board.Submission{Member: "late", Score: board.Ints(1)})
		require.NoError(t, err)
	}
	_, err = Write(t.Context(), io.Discard, w.boards, "sum", Options{Partial: true, Progress: submit})
	require.ErrorIs(t, err, ErrChanged)

	done := make(chan error, 1)
	var once sync.Once
	_, err = Write(t.Context(), io.Discard, w.boards, "sum", Options{Partial: true, Hold: true, Progress: func(int) {
		once.Do(func() { // the submission waits until the board is written
			go func() {
				_, err := b.Apply(t.Context(), board.Submission{Member: "later", Score: board.Ints(1)})
				done <- err
			}()
		})
	}})
	require.NoError(t, err)
	require.NoError(t, <-done)

	x := newWorld(t, testclock.New())
	x.play(specOfTest("paid"), 1)
	first := new(sync.Once)
	_, err = Write(t.Context(), io.Discard, x.boards, "paid", Options{Progress: func(int) {
		first.Do(func() {
			var id string
			for award, err := range x.board("paid").Awards(t.Context(), "day", "2026-11-22") {
				require.NoError(t, err)
				id = award.ID
			}
			require.NoError(t, x.board("paid").Withhold(t.Context(), id, "a cheat"))
		})
	}})
	require.ErrorIs(t, err, ErrChanged)
}
