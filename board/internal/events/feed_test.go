package events

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// whole returns an event in which no field but the position is zero.
func whole(k board.EventKind) board.Event {
	return board.Event{Kind: k, Board: "arena", Window: "week", Period: "2026-W47", Member: "ada", At: time.UnixMicro(1_700_000_000_000_001).UTC(), By: "bob", Other: "cy",
		Rank: 3, Before: 300, Score: rules.Ints(5, -7), Was: rules.Ints(4, -7), Groups: "guild", Group: "red", Award: "id", Count: 70_000, Audit: 1 << 40}
}

func decodeNote(note []byte) (board.Event, error) {
	h, err := cutHead(note)
	if err != nil {
		return board.Event{}, err
	}
	return h.decode()
}

// TestRoundTrip: every field survives, alone and with the others, for each kind; every cut and every added byte is ErrCorrupt.
func TestRoundTrip(t *testing.T) {
	for _, k := range board.EventKinds() {
		e := whole(k)
		for i := range reflect.TypeFor[board.Event]().NumField() { // without one field at a time
			x := e
			if f := reflect.TypeFor[board.Event]().Field(i).Name; f != "Kind" && f != "At" {
				reflect.ValueOf(&x).Elem().Field(i).SetZero()
			}
			note := appendEvent(nil, &x)
			got, err := decodeNote(note)
			require.NoError(t, err)
			require.Equal(t, x, got)
			for cut := range note {
				_, err := decodeNote(note[:cut])
				require.ErrorIs(t, err, engine.ErrCorrupt)
			}
			_, err = decodeNote(append(note, 0))
			require.ErrorIs(t, err, engine.ErrCorrupt)
		}
		text, err := k.MarshalText()
		require.NoError(t, err)
		var again board.EventKind
		require.NoError(t, again.UnmarshalText(text))
		require.Equal(t, k, again)
	}
	_, err := board.ParseEventKind("")
	require.ErrorIs(t, err, board.ErrEventKind)
	require.Equal(t, "Kind(200)", board.EventKind(200).String())
}

// TestNames: no two kinds have one name.
func TestNames(t *testing.T) {
	names := map[string]bool{}
	for _, k := range board.EventKinds() {
		require.NotEmpty(t, k.String())
		require.False(t, names[k.String()], k)
		names[k.String()] = true
	}
	require.Len(t, names, int(board.EventRelegated))
	require.Less(t, int(board.EventRelegated), 64, "the bits of matcher.kinds")
}

// TestJSON: an event is JSON without what it does not have, and can be read again.
func TestJSON(t *testing.T) {
	e := whole(board.EventOvertaken)
	e.Position = board.Position{Store: 0xab, Commit: 12, Index: 1}
	text, err := json.Marshal(e)
	require.NoError(t, err)
	var again board.Event
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, e, again)
	text, err = json.Marshal(board.Event{Kind: board.EventBanned, Board: "a"})
	require.NoError(t, err)
	require.JSONEq(t, `{"position": "", "kind": "banned", "board": "a", "at": "0001-01-01T00:00:00Z"}`, string(text))
}

// TestMatch: a filter lets an event pass if all its lists do, and allocates nothing.
func TestMatch(t *testing.T) {
	e := whole(board.EventOvertaken)
	note := appendEvent(nil, &e)
	many := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}
	for _, x := range []struct {
		f    board.FeedFilter
		want bool
	}{
		{board.FeedFilter{}, true},
		{board.FeedFilter{Boards: []string{"b", "arena"}}, true},
		{board.FeedFilter{Boards: many}, false},
		{board.FeedFilter{Boards: append(many, "arena")}, true},
		{board.FeedFilter{Windows: []string{"day"}}, false},
		{board.FeedFilter{Windows: []string{"week"}, Kinds: []board.EventKind{board.EventBanned, board.EventOvertaken}, Members: []string{"ada"}}, true},
		{board.FeedFilter{Members: []string{"bob"}}, false},
		{board.FeedFilter{Kinds: []board.EventKind{board.EventSubmitted}}, false},
	} {
		m, err := newMatcher(x.f)
		require.NoError(t, err)
		var got bool
		require.Zero(t, testing.AllocsPerRun(10, func() {
			h, _ := cutHead(note)
			got = m.matches(&h)
		}))
		require.Equal(t, x.want, got, x.f)
	}
	_, err := newMatcher(board.FeedFilter{Kinds: []board.EventKind{99}})
	require.ErrorIs(t, err, board.ErrEventKind)
}

// TestPositions: the text of a position gives it back; other texts are ErrPosition.
func TestPositions(t *testing.T) {
	for _, p := range []board.Position{{}, {Store: 1, Commit: 1, Index: 0}, {Store: 1<<64 - 1, Commit: 1<<64 - 1, Index: 7}} {
		again, err := board.ParsePosition(p.String())
		require.NoError(t, err)
		require.Equal(t, p, again)
	}
	for _, text := range []string{"x", "1-2-3", "0000000000000001-0-0", "0000000000000001-2--3", "0000000000000001-2", "0000000000000001-02-3", "0000000000000001-2-3-4"} {
		_, err := board.ParsePosition(text)
		require.ErrorIs(t, err, board.ErrPosition, text)
	}
	require.Negative(t, board.Position{Store: 1, Commit: 5, Index: 9}.Compare(board.Position{Store: 1, Commit: 6, Index: 0}))
	require.Positive(t, board.Position{Store: 1, Commit: 6, Index: 1}.Compare(board.Position{Store: 1, Commit: 6, Index: 0}))
}

// FuzzEvent decodes any bytes as an event. Those that decode must survive encoding and decoding; others are ErrCorrupt.
func FuzzEvent(f *testing.F) {
	for _, k := range []board.EventKind{board.EventSubmitted, board.EventRelegated} {
		e := whole(k)
		f.Add(appendEvent(nil, &e))
	}
	f.Add([]byte{1, 1, 0, 0, 0, 0, 0})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, note []byte) {
		e, err := decodeNote(note)
		if err != nil {
			require.ErrorIs(t, err, engine.ErrCorrupt)
			return
		}
		again, err := decodeNote(appendEvent(nil, &e))
		require.NoError(t, err)
		require.Equal(t, e, again)
	})
}

// FuzzPosition: a text that is a position is the only text of it.
func FuzzPosition(f *testing.F) {
	f.Add("00000000000000ab-12-1")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := board.ParsePosition(text)
		if err != nil {
			require.ErrorIs(t, err, board.ErrPosition)
			return
		}
		require.Equal(t, text, p.String())
	})
}
