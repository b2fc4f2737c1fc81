package local

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// pages walks the ranking in pages of several sizes: the walk returns every row once, in order.
func (a *readChecker) pages() {
	ctx := context.Background()
	for _, size := range []int{1, 2, len(a.want)/3 + 1, len(a.want), len(a.want) + 1, math.MaxInt} {
		if size == 0 || len(a.want) > 200 && size < 100 {
			continue
		}
		var rows []board.Row
		at := board.Cursor{}
		for steps := 0; !at.Done(); steps++ {
			page, next, err := a.r.Page(ctx, at, size)
			a.expect(equal(page, a.slice(len(rows), len(rows)+min(size, len(a.want)))), err, "Page", size, len(rows), page)
			parsed, err := board.ParseCursor(next.String())
			a.expect(parsed == next, err, "ParseCursor", next)
			rows, at = append(rows, page...), parsed
			a.expect(steps <= len(a.want), nil, "Page ends")
		}
		a.expect(equal(rows, a.want), nil, "Pages", size)
		page, next, err := a.r.Page(ctx, at, size)
		a.expect(len(page) == 0 && next == at, err, "Page after the last")
		page, next, err = a.r.Page(ctx, board.Cursor{}, 0)
		a.expect(len(page) == 0 && (next == board.Cursor{} || len(a.want) == 0), err, "Page of no rows")
		_, next, err = a.r.Page(ctx, board.Cursor{}, 1)
		a.expect(err == nil, err, "Page of one")
		page, _, err = a.r.Page(ctx, next, math.MaxInt)
		a.expect(equal(page, a.slice(1, len(a.want))), err, "Page of the rest")
	}
	i := 0
	for row, err := range a.r.All(ctx) {
		a.expect(equal([]board.Row{row}, a.slice(i, i+1)), err, "All", i)
		i++
	}
	a.expect(i == len(a.want), nil, "All")
	for range a.r.All(ctx) {
		break // which ends the walk
	}
}

// TestPagesWhileScoresChange: a walk in pages returns a member whose score does not change exactly once, and each page has the rows and
// the ranks at the time of its call.
func TestPagesWhileScoresChange(t *testing.T) {
	stayed, moved, pages := 0, 0, 0
	for seed := range fewer(300) {
		ties, mode := allTies[seed%3], allModes[seed%4]
		w := newWorld(t, uint64(seed), directions(1 + seed%4)[seed%2], ties, seed%5 == 0)
		w.fill(t, 20+w.rng.IntN(150))
		times, changed := map[string]int{}, map[string]bool{}
		for at := (board.Cursor{}); !at.Done(); pages++ {
			want := w.sorted(mode)
			page, next, err := w.By(mode).Page(t.Context(), at, 1+w.rng.IntN(10))
			require.NoError(t, err)
			if len(page) > 0 {
				i := slices.IndexFunc(want, func(row board.Row) bool { return row.Member == page[0].Member })
				require.True(t, equal(page, want[i:i+len(page)]), "seed %d: rows and ranks of the moment", seed)
				require.Equal(t, i+len(page) == len(want), next.Done(), "Done with the last row")
			}
			for _, row := range page {
				times[row.Member]++
			}
			at = next
			for range 1 + w.rng.IntN(5) {
				changed[w.change(t)] = true
			}
		}
		for _, row := range w.sorted(mode) {
			if changed[row.Member] {
				moved++
				continue
			}
			require.Equal(t, 1, times[row.Member], "seed %d: %q did not move", seed, row.Member)
			stayed++
		}
	}
	t.Logf("%d pages; %d members did not move and came once, %d moved or were new", pages, stayed, moved)
}

// change adds, moves or removes a member, and returns it.
func (w *world) change(t testing.TB) string {
	member := w.drawMember()
	if w.rng.IntN(4) > 0 {
		member = w.names[w.rng.IntN(len(w.names))]
	}
	if w.rng.IntN(3) == 0 {
		w.remove(t, member)
	} else {
		w.put(t, member, w.drawScore())
	}
	return member
}

// TestPinnedPages: a walk of a pinned ranking returns every row once, whatever changes in the original.
func TestPinnedPages(t *testing.T) {
	w := newWorld(t, 5, directions(3)[2], rules.FirstToReach, false)
	w.fill(t, 500)
	want := w.sorted(board.Competition)
	pinned := mustPin(t, w.By(board.Competition))
	var rows []board.Row
	for at := (board.Cursor{}); !at.Done(); {
		page, next, err := pinned.Page(t.Context(), at, 7)
		require.NoError(t, err)
		rows, at = append(rows, page...), next
		w.change(t)
	}
	require.True(t, equal(rows, want), "all rows as when it was pinned")
	require.Equal(t, infoOf(w).Period, infoOf(pinned).Period)
	require.True(t, equal(slices.Collect(rowsOf(t, mustPin(t, pinned))), want), "a pin of a pin is equal to it")
	t.Logf("%d rows, %d members meanwhile", len(rows), len(w.entries))
}

// rowsOf walks All.
func rowsOf(t testing.TB, r board.Ranking) func(yield func(board.Row) bool) {
	return func(yield func(board.Row) bool) {
		for row, err := range r.All(t.Context()) {
			require.NoError(t, err)
			if !yield(row) {
				return
			}
		}
	}
}

// TestForeignCursors: a cursor is valid for its own ranking only, and a damaged text is no cursor.
func TestForeignCursors(t *testing.T) {
	w := newWorld(t, 5, nil, rules.FirstToReach, false)
	w.fill(t, 10)
	_, cursor, err := w.Page(t.Context(), board.Cursor{}, 3)
	require.NoError(t, err)
	for _, key := range []string{"b/week/2026-W48/1", "b/week/2026-W47/2", "b2/week/2026-W47/1", "b/day/2026-W47/1"} {
		other := rankingFrom(heldSource{w.set.View(), nil}, w.rules, key, func() board.Info { return infoOf(w) })
		_, _, err := other.Page(t.Context(), cursor, 3)
		require.ErrorIs(t, err, board.ErrCursor, key)
	}
	three := newWorld(t, 5, directions(3)[0], rules.FirstToReach, false)
	short := forged(bytesOf(cursor)[:9+20])
	_, _, err = three.Page(t.Context(), mustCursor(t, short), 3)
	require.ErrorIs(t, err, board.ErrCursor, "an entry of another form")

	damaged := 0
	for _, member := range []string{"a", "bb", "ccc"} { // the last letter of base64 stands for 2, 4 or 6 bits
		damaged += refuseDamage(t, forged([]byte("\x01\x00\x00\x00\x00\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\x08"+member)))
	}
	t.Logf("%d damaged texts refused", damaged)
}

// forged returns the text of a cursor with these bytes and a valid checksum: see the format at ranking.Cursor. It returns "" for no bytes.
func forged(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	sum := crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(slices.Clone(b), sum))
}

// bytesOf returns the bytes of a cursor without the checksum.
func bytesOf(c board.Cursor) []byte {
	b, err := base64.RawURLEncoding.DecodeString(c.String())
	if err != nil || len(b) < 4 {
		return nil
	}
	return b[:len(b)-4]
}

func mustCursor(t *testing.T, text string) board.Cursor {
	t.Helper()
	c, err := board.ParseCursor(text)
	require.NoError(t, err)
	return c
}

// refuseDamage changes, cuts and inserts characters of a cursor's text, and requires ErrCursor each time. It returns how often.
func refuseDamage(t *testing.T, text string) (damaged int) {
	_, err := board.ParseCursor(text)
	require.NoError(t, err)
	for i := range text {
		for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=\n\x00é" {
			bad := []string{text[:i] + string(c) + text[i+1:], text[:i] + string(c) + text[i:], text[:i] + string(c)}
			for _, bad := range bad {
				if bad == text {
					continue
				}
				_, err := board.ParseCursor(bad)
				require.ErrorIs(t, err, board.ErrCursor, "%q", bad)
				damaged++
			}
		}
	}
	return damaged
}

// TestCursorText: a cursor is text that goes into a URL, and into JSON.
func TestCursorText(t *testing.T) {
	w := newWorld(t, 5, nil, rules.FirstToReach, false)
	w.fill(t, 10)
	_, cursor, err := w.Page(t.Context(), board.Cursor{}, 3)
	require.NoError(t, err)
	require.Empty(t, strings.Trim(cursor.String(), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"))
	text, err := json.Marshal(map[string]board.Cursor{"next": cursor, "first": {}})
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf(`{"first":"","next":%q}`, cursor), string(text))
	var back map[string]board.Cursor
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, map[string]board.Cursor{"next": cursor, "first": {}}, back)
	require.ErrorIs(t, json.Unmarshal([]byte(`{"next":"nonsense"}`), &back), board.ErrCursor)
}

// FuzzCursor: ParseCursor returns ErrCursor, or a cursor whose text is the same; Page of any cursor returns rows or ErrCursor.
func FuzzCursor(f *testing.F) {
	w := newWorld(f, 5, directions(2)[1], rules.FirstToReach, false)
	w.fill(f, 50)
	for at := (board.Cursor{}); !at.Done(); {
		_, next, err := w.Page(f.Context(), at, 20)
		require.NoError(f, err)
		f.Add(next.String(), bytesOf(next))
		at = next
	}
	f.Add("", []byte{})
	f.Add("AA==", []byte{1})
	f.Fuzz(func(t *testing.T, text string, b []byte) {
		c, err := board.ParseCursor(text)
		if err == nil {
			require.Equal(t, text, c.String())
		} else {
			require.ErrorIs(t, err, board.ErrCursor)
		}
		forged, err := board.ParseCursor(forged(b))
		if err != nil {
			require.ErrorIs(t, err, board.ErrCursor)
			return
		}
		page, next, err := w.Page(t.Context(), forged, 3)
		if err != nil {
			require.ErrorIs(t, err, board.ErrCursor)
			return
		}
		require.True(t, len(page) > 0 || next.Done())
	})
}
