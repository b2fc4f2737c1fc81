package events

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// whole returns an event in which no field but the position is zero.
func whole(k feed.Kind) feed.Event {
	return feed.Event{Kind: k, Board: "arena", Window: "week", Period: "2026-W47", Member: "ada", At: time.UnixMicro(1_700_000_000_000_001).UTC(), By: "bob", Other: "cy",
		Rank: 3, Before: 300, Score: rules.Ints(5, -7), Was: rules.Ints(4, -7), Groups: "guild", Group: "red", Award: "id", Count: 70_000, Audit: 1 << 40}
}

func decodeNote(note []byte) (feed.Event, error) {
	h, err := cutHead(note)
	if err != nil {
		return feed.Event{}, err
	}
	return h.decode()
}

// TestRoundTrip: every field survives, alone and with the others, for each kind; every cut and every added byte is ErrCorrupt.
func TestRoundTrip(t *testing.T) {
	for _, k := range feed.Kinds() {
		e := whole(k)
		for i := range reflect.TypeFor[feed.Event]().NumField() { // without one field at a time
			x := e
			if f := reflect.TypeFor[feed.Event]().Field(i).Name; f != "Kind" && f != "At" {
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
		var again feed.Kind
		require.NoError(t, again.UnmarshalText(text))
		require.Equal(t, k, again)
	}
	_, err := feed.ParseKind("")
	require.ErrorIs(t, err, feed.ErrKind)
	require.Equal(t, "Kind(200)", feed.Kind(200).String())
}

// TestNames: no two kinds have one name.
func TestNames(t *testing.T) {
	names := map[string]bool{}
	for _, k := range feed.Kinds() {
		require.NotEmpty(t, k.String())
		require.False(t, names[k.String()], k)
		names[k.String()] = true
	}
	require.Len(t, names, int(feed.Relegated))
	require.Less(t, int(feed.Relegated), 64, "the bits of matcher.kinds")
}

// TestJSON: an event is JSON without what it does not have, and can be read again.
func TestJSON(t *testing.T) {
	e := whole(feed.Overtaken)
	e.Position = feed.Position{Store: 0xab, Commit: 12, Index: 1}
	text, err := json.Marshal(e)
	require.NoError(t, err)
	var again feed.Event
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, e, again)
	text, err = json.Marshal(feed.Event{Kind: feed.Banned, Board: "a"})
	require.NoError(t, err)
	require.JSONEq(t, `{"position": "", "kind": "banned", "board": "a"}`, string(text))
}

// TestMatch: a filter lets an event pass if all its lists do, and allocates nothing.
func TestMatch(t *testing.T) {
	e := whole(feed.Overtaken)
	note := appendEvent(nil, &e)
	many := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}
	for _, x := range []struct {
		f    feed.Filter
		want bool
	}{
		{feed.Filter{}, true},
		{feed.Filter{Boards: []string{"b", "arena"}}, true},
		{feed.Filter{Boards: many}, false},
		{feed.Filter{Boards: append(many, "arena")}, true},
		{feed.Filter{Windows: []string{"day"}}, false},
		{feed.Filter{Windows: []string{"week"}, Kinds: []feed.Kind{feed.Banned, feed.Overtaken}, Members: []string{"ada"}}, true},
		{feed.Filter{Members: []string{"bob"}}, false},
		{feed.Filter{Kinds: []feed.Kind{feed.Submitted}}, false},
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
	_, err := newMatcher(feed.Filter{Kinds: []feed.Kind{99}})
	require.ErrorIs(t, err, feed.ErrKind)
}

// TestPositions: the text of a position gives it back; other texts are feed.ErrPosition.
func TestPositions(t *testing.T) {
	for _, p := range []feed.Position{{}, {Store: 1, Commit: 1, Index: 0}, {Store: 1<<64 - 1, Commit: 1<<64 - 1, Index: 7}} {
		again, err := feed.ParsePosition(p.String())
		require.NoError(t, err)
		require.Equal(t, p, again)
	}
	for _, text := range []string{"x", "1-2-3", "0000000000000001-0-0", "0000000000000001-2--3", "0000000000000001-2", "0000000000000001-02-3", "0000000000000001-2-3-4"} {
		_, err := feed.ParsePosition(text)
		require.ErrorIs(t, err, feed.ErrPosition, text)
	}
	require.Negative(t, feed.Position{Store: 1, Commit: 5, Index: 9}.Compare(feed.Position{Store: 1, Commit: 6, Index: 0}))
	require.Positive(t, feed.Position{Store: 1, Commit: 6, Index: 1}.Compare(feed.Position{Store: 1, Commit: 6, Index: 0}))
}

// FuzzEvent decodes any bytes as an event. Those that decode must survive encoding and decoding; others are ErrCorrupt.
func FuzzEvent(f *testing.F) {
	for _, k := range []feed.Kind{feed.Submitted, feed.Relegated} {
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
		p, err := feed.ParsePosition(text)
		if err != nil {
			require.ErrorIs(t, err, feed.ErrPosition)
			return
		}
		require.Equal(t, text, p.String())
	})
}
