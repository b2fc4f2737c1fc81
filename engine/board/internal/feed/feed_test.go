package feed

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// whole returns an event in which no field but the position is zero.
func whole(k Kind) Event {
	return Event{Kind: k, Board: "arena", Window: "week", Period: "2026-W47", Member: "ada", At: time.UnixMicro(1_700_000_000_000_001).UTC(), By: "bob", Other: "cy",
		Rank: 3, Before: 300, Score: rules.Ints(5, -7), Was: rules.Ints(4, -7), Groups: "guild", Group: "red", Award: "id", Count: 70_000, Audit: 1 << 40}
}

func decodeNote(note []byte) (Event, error) {
	h, err := cutHead(note)
	if err != nil {
		return Event{}, err
	}
	return h.decode()
}

// TestRoundTrip: every field survives, alone and with the others, for each kind; every cut and every added byte is ErrCorrupt.
func TestRoundTrip(t *testing.T) {
	for _, k := range Kinds() {
		e := whole(k)
		for i := range reflect.TypeFor[Event]().NumField() { // without one field at a time
			x := e
			if f := reflect.TypeFor[Event]().Field(i).Name; f != "Kind" && f != "At" {
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
		var again Kind
		require.NoError(t, again.UnmarshalText(text))
		require.Equal(t, k, again)
	}
	_, err := ParseKind("")
	require.ErrorIs(t, err, errs.ErrEventKind)
	require.Equal(t, "Kind(200)", Kind(200).String())
}

// TestNames: no two kinds have one name.
func TestNames(t *testing.T) {
	names := map[string]bool{}
	for _, k := range Kinds() {
		require.NotEmpty(t, k.String())
		require.False(t, names[k.String()], k)
		names[k.String()] = true
	}
	require.Len(t, names, int(Relegated))
	require.Less(t, int(Relegated), 64, "the bits of matcher.kinds")
}

// TestJSON: an event is JSON without what it does not have, and can be read again.
func TestJSON(t *testing.T) {
	e := whole(Overtaken)
	e.Position = Position{0xab, 12, 1}
	text, err := json.Marshal(e)
	require.NoError(t, err)
	var again Event
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, e, again)
	text, err = json.Marshal(Event{Kind: Banned, Board: "a"})
	require.NoError(t, err)
	require.JSONEq(t, `{"position": "", "kind": "banned", "board": "a", "at": "0001-01-01T00:00:00Z"}`, string(text))
}

// TestMatch: a filter lets an event pass if all its lists do, and allocates nothing.
func TestMatch(t *testing.T) {
	e := whole(Overtaken)
	note := appendEvent(nil, &e)
	many := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}
	for _, x := range []struct {
		f    Filter
		want bool
	}{
		{Filter{}, true},
		{Filter{Boards: []string{"b", "arena"}}, true},
		{Filter{Boards: many}, false},
		{Filter{Boards: append(many, "arena")}, true},
		{Filter{Windows: []string{"day"}}, false},
		{Filter{Windows: []string{"week"}, Kinds: []Kind{Banned, Overtaken}, Members: []string{"ada"}}, true},
		{Filter{Members: []string{"bob"}}, false},
		{Filter{Kinds: []Kind{Submitted}}, false},
	} {
		m, err := x.f.matcher()
		require.NoError(t, err)
		var got bool
		require.Zero(t, testing.AllocsPerRun(10, func() {
			h, _ := cutHead(note)
			got = m.matches(&h)
		}))
		require.Equal(t, x.want, got, x.f)
	}
	_, err := Filter{Kinds: []Kind{99}}.matcher()
	require.ErrorIs(t, err, errs.ErrEventKind)
}

// TestPositions: the text of a position gives it back; other texts are ErrPosition.
func TestPositions(t *testing.T) {
	for _, p := range []Position{{}, {1, 1, 0}, {1<<64 - 1, 1<<64 - 1, 7}} {
		again, err := ParsePosition(p.String())
		require.NoError(t, err)
		require.Equal(t, p, again)
	}
	for _, text := range []string{"x", "1-2-3", "0000000000000001-0-0", "0000000000000001-2--3", "0000000000000001-2", "0000000000000001-02-3", "0000000000000001-2-3-4"} {
		_, err := ParsePosition(text)
		require.ErrorIs(t, err, errs.ErrPosition, text)
	}
	require.Negative(t, Position{1, 5, 9}.Compare(Position{1, 6, 0}))
	require.Positive(t, Position{1, 6, 1}.Compare(Position{1, 6, 0}))
}

// FuzzEvent decodes any bytes as an event. Those that decode must survive encoding and decoding; others are ErrCorrupt.
func FuzzEvent(f *testing.F) {
	for _, k := range []Kind{Submitted, Relegated} {
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
		p, err := ParsePosition(text)
		if err != nil {
			require.ErrorIs(t, err, errs.ErrPosition)
			return
		}
		require.Equal(t, text, p.String())
	})
}
