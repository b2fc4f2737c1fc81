package local

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/auditlog"
)

// otherNames are the fields that have another name in JSON, or are told by other fields.
var otherNames = map[string]string{"board.Move.Len": "members", "board.Card.Len": "members", "board.Member.Name": "member", "board.Row.Within": "-", "board.Card.Ranked": "-",
	"board.Arrow.Ranked": "-", "board.Arrow.WasRanked": "-", "board.Change.Others": "", "board.Change.Duplicate": "", "board.Change.Skipped": "", "audit.Entry.Parts": "-"}

// TestNamesInJSON: every answer of the package has in JSON the names of its fields with a small first letter, as specs and events do; no field is left
// out.
func TestNamesInJSON(t *testing.T) {
	seen := map[reflect.Type]bool{}
	for _, answer := range []any{board.Arrow{}, audit.Entry{}, awards.Award{}, board.Banned{}, board.Bin{}, board.Card{}, board.Change{}, awards.Difference{}, feed.Event{}, board.Gap{}, board.GroupInfo{}, board.Info{}, board.Job{}, board.JournalRow{}, board.League{},
		board.Member{}, board.Moderated{}, board.Move{}, board.Percentile{}, board.Period{}, board.Promotion{}, board.Erased{}, board.Removed{}, board.Reverted{}, awards.Settlement{}, board.AmongRow{}, board.StoredUnion{}, board.Usage{}} {
		checkNames(t, reflect.TypeOf(answer), seen)
	}
	require.Greater(t, len(seen), 25)
}

func checkNames(t *testing.T, typ reflect.Type, seen map[reflect.Type]bool) {
	for typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map || typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	own := typ.Implements(reflect.TypeFor[encoding.TextMarshaler]()) || strings.HasSuffix(typ.PkgPath(), "board/window") && typ.Name() == "Window" || strings.HasSuffix(typ.PkgPath(), "board/rules") && typ.Name() != "Column"
	if typ.Kind() != reflect.Struct || seen[typ] || own || typ == reflect.TypeFor[time.Time]() {
		return
	}
	seen[typ] = true
	for i := range typ.NumField() {
		f := typ.Field(i)
		if !f.IsExported() {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.Anonymous {
			want, ok := otherNames[fmt.Sprint(typ, ".", f.Name)]
			if !ok {
				want = inJSON(f.Name)
			}
			require.Equal(t, want, name, "%v.%s", typ, f.Name)
		}
		checkNames(t, f.Type, seen)
	}
}

// inJSON returns the name in JSON of a field of Go.
func inJSON(name string) string {
	if strings.ToUpper(name) == name {
		return strings.ToLower(name)
	}
	return string(unicode.ToLower(rune(name[0]))) + name[1:]
}

// TestAuditEntryInJSON: an entry of the audit log has its members in JSON, and its stored form is the bytes that it was, which has them as base64.
func TestAuditEntryInJSON(t *testing.T) {
	e := audit.Entry{Number: 7, At: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), Kind: audit.Merge, Member: "bob\xff", To: "ada", By: "eve", Places: 1, Parts: 1, Done: true}
	stored, err := auditlog.Encode(&e)
	require.NoError(t, err)
	require.Equal(t, `{"number":7,"at":"2026-11-20T12:00:00Z","kind":"merge","by":"eve","places":1,"parts":1,"done":true,"member":"Ym9i/w==","to":"YWRh"}`, string(stored))
	back, err := auditlog.Decode("key", stored)
	require.NoError(t, err)
	require.Equal(t, e, back)
	e.Member = "bob"
	text, err := json.Marshal(e)
	require.NoError(t, err)
	require.Equal(t, `{"number":7,"at":"2026-11-20T12:00:00Z","kind":"merge","member":"bob","to":"ada","by":"eve","places":1,"done":true}`, string(text))
}
