package local

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/feed"
)

// TestJSONForm: the JSON of what boards take and answer, and that it is read as what was written.
func TestJSONForm(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	row := board.Row{Rank: 2, Member: "\xff", Score: board.Ints(7), Reached: at, Meta: []byte("hat")}
	const rowText = `"rank":2,"member":"base64:_w","score":[7],"reached":"2026-11-20T12:00:00Z","meta":"hat"`
	beyond := func(within int) board.Row {
		return board.Row{Rank: 4, Member: "ada", Score: board.Ints(1<<53 + 1), Beyond: true, Within: within}
	}
	const beyondText = `{"rank":4,"member":"ada","score":[9007199254740993],"scoreText":["9007199254740993"],"beyond":true`
	move := board.Move{Window: "day", Period: "2026-11-20", After: board.Row{Rank: 1, Member: "ada", Score: board.Ints(7)}, Changed: true, Improved: true, Len: 3, Near: []board.Row{}}
	const moveText = `{"window":"day","period":"2026-11-20","after":{"rank":1,"member":"ada","score":[7]},"changed":true,"improved":true,"passed":0,"members":3,"near":[]}`
	place := board.Place{Window: "day", Period: "2026-11-20", Rank: 2, Score: board.Ints(7)}
	const placeText = `{"window":"day","period":"2026-11-20","rank":2,"score":[7]}`
	for _, x := range []struct {
		v    any
		want string
	}{
		{row, `{` + rowText + `}`},
		{beyond(20), beyondText + `,"within":20}`},
		{beyond(0), beyondText + `,"within":0}`},
		{beyond(board.Unknown), beyondText + `}`},
		{board.AmongRow{Row: row, Local: 1}, `{` + rowText + `,"local":1}`},
		{board.LeagueRow{Row: row, Zone: board.ZoneUp}, `{` + rowText + `,"zone":"up"}`},
		{board.Change{Move: move, Others: []board.Move{move}, Duplicate: true}, `{"moves":[` + moveText + `,` + moveText + `],"duplicate":true}`},
		{board.Card{Top: []board.Row{}, Len: 3}, `{"top":[],"members":3}`},
		{board.Card{Top: []board.Row{}, Own: row, Ranked: true, Len: 3}, `{"top":[],"own":{` + rowText + `},"members":3}`},
		{board.Arrow{Member: "ada", Rank: 2, Ranked: true}, `{"member":"ada","rank":2,"up":0}`},
		{board.Gap{To: row, Column: 0, By: board.Int(3)}, `{"to":{` + rowText + `},"column":0,"by":3}`},
		{board.Usage{Info: board.Info{Board: "arena", Window: "day", Period: "2026-11-20", Start: at, Mode: board.Dense}, Members: 3},
			`{"board":"arena","window":"day","period":"2026-11-20","start":"2026-11-20T12:00:00Z","mode":"dense","members":3}`},
		{board.Moderated{Entry: 1, Places: []board.Place{place}}, `{"entry":1,"places":[` + placeText + `]}`},
		{board.Member{Name: "ada", Banned: true, Windows: []board.History{{Window: "day", Places: []board.Place{}, BestRank: place}}},
			`{"member":"ada","banned":true,"windows":[{"window":"day","places":[],"bestRank":` + placeText + `}]}`},
		{board.Banned{Boards: map[string]board.Moderated{}, Resettled: []board.Resettled{{Board: "arena", Window: "day", Period: "2026-11-20", Difference: awards.Difference{Changes: []awards.Change{}}}}},
			`{"boards":{},"resettled":[{"board":"arena","window":"day","period":"2026-11-20","gained":0,"lost":0,"tooMuch":0,"changes":[]}]}`},
		{board.JournalRow{Number: 3, Arrived: at, Member: "ada", Removal: true}, `{"number":3,"arrived":"2026-11-20T12:00:00Z","member":"ada","removal":true}`},
		{board.GroupInfo{Name: "base64:", Members: 2, Created: at, Meta: []byte{}}, `{"name":"base64:YmFzZTY0Og","members":2,"created":"2026-11-20T12:00:00Z","meta":""}`},
		{board.Submission{Member: "ada", Score: board.Ints(7), Once: "\xfe", If: board.IfBetter}, `{"member":"ada","score":[7],"once":"base64:_g","if":"better"}`},
		{awards.Award{ID: "a", Board: "arena", Window: "day", Period: "2026-11-20", Member: "ada", Revision: 1, State: awards.Withheld},
			`{"id":"a","board":"arena","window":"day","period":"2026-11-20","member":"ada","revision":1,"state":"withheld"}`},
		{awards.Resettlement{Without: []string{"\xff"}, DryRun: true}, `{"without":["base64:_w"],"dryRun":true}`},
		{audit.Entry{Number: 1, At: at, Kind: audit.Ban, Member: "ada", By: "eve"}, `{"number":1,"at":"2026-11-20T12:00:00Z","kind":"ban","member":"ada","by":"eve","places":0,"done":false}`},
		{feed.Event{Kind: feed.Banned, Board: "arena", Member: "\xff", At: at}, `{"position":"","kind":"banned","board":"arena","member":"base64:_w","at":"2026-11-20T12:00:00Z"}`},
	} {
		text, err := json.Marshal(x.v)
		require.NoError(t, err)
		require.Equal(t, x.want, string(text))
		again := reflect.New(reflect.TypeOf(x.v))
		require.NoError(t, json.Unmarshal(text, again.Interface()), x.want)
		require.Equal(t, x.v, again.Elem().Interface(), x.want)
	}
	var sub board.Submission
	require.ErrorContains(t, json.Unmarshal([]byte(`{"member":"ada","scores":[7]}`), &sub), `unknown field "scores"`)
	require.NoError(t, json.Unmarshal([]byte(`{"member":"ada","score":7,"if":"lucky"}`), &sub))
	require.ErrorIs(t, sub.Validate(board.Spec{}), board.ErrCondition)
	var zone board.Zone
	require.ErrorIs(t, zone.UnmarshalText([]byte("sideways")), board.ErrZone)
}
