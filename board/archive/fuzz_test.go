package archive

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
)

// seeds are files of boards.
func seeds() (list []string) {
	list = append(list, `{"board":{"name":"x"},"format":1}`+"\n"+`{"window":"all"}`+"\n"+`{"period":"all"}`+"\n"+`{"member":"a","score":[1],"reached":"2026-11-20T12:00:00Z"}`+"\n"+`{"ended":"x","lines":5}`+"\n")
	list = append(list, `{"board":{"name":"x","op":"bestof","k":2,"maxMeta":3},"format":1}`+"\n"+`{"window":"all"}`+"\n"+`{"period":"all"}`+"\n"+
		`{"member":"a","score":[1],"reached":"2026-11-20T12:00:00Z","results":[{"score":[1],"at":"2026-11-20T12:00:00Z"}],"meta":"AQ=="}`+"\n"+`{"standing":"b","banned":true}`+"\n"+
		`{"once":"k","at":"2026-11-20T12:00:00Z"}`+"\n"+`{"ended":"x","lines":7}`+"\n")
	list = append(list, `{"board":{"name":"best","windows":[{"name":"3h","kind":"rolling","span":"3h","bucket":"1h"}]},"format":1}`+"\n"+`{"window":"3h"}`+"\n"+`{"period":"all"}`+"\n"+
		`{"member":"ada","score":5,"reached":"2026-11-20T12:00:00Z","rolling":[{"leaves":"2026-11-20T16:00:00Z","score":5,"reached":"2026-11-20T12:00:00Z"},`+
		`{"leaves":"2026-11-20T17:00:00Z","score":3,"reached":"2026-11-20T13:00:00Z","order":1}]}`+"\n"+`{"ended":"best","lines":5}`+"\n")
	list = append(list, `{"board":{"name":"s","op":"sum","windows":[{"name":"3h","kind":"rolling","span":"3h"}]},"format":1}`+"\n"+`{"window":"3h"}`+"\n"+`{"period":"all"}`+"\n"+
		`{"member":"ada","score":5,"reached":"2026-11-20T12:00:00Z","rolling":[{"leaves":"2026-11-20T16:00:00Z","score":5}]}`+"\n"+`{"ended":"s","lines":5}`+"\n")
	list = append(list, `{"board":{"name":"l","windows":[{"kind":"day"}],"leagues":{"window":"day","tiers":["a","b"],"size":2,"up":1,"down":0,"bands":[5]}},"format":1}`+"\n"+`{"window":"day"}`+"\n"+
		`{"tiered":"a","tier":1}`+"\n"+`{"period":"2026-11-20","start":"2026-11-20T00:00:00Z","end":"2026-11-21T00:00:00Z"}`+"\n"+`{"member":"a","score":1,"reached":"2026-11-20T12:00:00Z"}`+"\n"+
		`{"cohort":"a","tier":1,"band":1}`+"\n"+`{"ended":"l","lines":7}`+"\n")
	for _, how := range []string{`"top":{"n":1,"reserve":1}`, `"parts":3`, `"partMembers":1`} {
		list = append(list, `{"board":{"name":"x",`+how+`},"format":1}`+"\n"+`{"window":"all"}`+"\n"+`{"period":"all"}`+"\n"+`{"member":"a","score":1,"reached":"2026-11-20T12:00:00Z"}`+"\n"+
			`{"member":"b","score":1,"reached":"2026-11-20T12:00:00Z"}`+"\n"+`{"member":"c","score":0,"reached":"2026-11-20T12:00:00Z"}`+"\n"+`{"ended":"x","lines":7}`+"\n")
	}
	list = append(list, `{"groups":"k","format":1}`+"\n"+`{"group":"a","created":"2026-11-20T12:00:00Z","meta":"AQ=="}`+"\n"+`{"joined":"m"}`+"\n"+`{"group":"b","created":"2026-11-20T12:00:00Z"}`+"\n"+
		`{"ended":"k","lines":5}`+"\n")
	list = append(list, `{"groups":"k","format":1}`+"\n"+`{"group":"a","created":"2026-11-20T12:00:00Z"}`+"\n"+`{"joined":"m"}`+"\n"+`{"ended":"k","lines":4}`+"\n"+
		`{"board":{"name":"s","op":"sum"},"format":1}`+"\n"+`{"window":"all"}`+"\n"+`{"period":"all"}`+"\n"+`{"member":"m","score":5,"reached":"2026-11-20T12:00:00Z"}`+"\n"+`{"ended":"s","lines":5}`+"\n"+
		`{"board":{"name":"d","derived":{"from":"s","groups":"k","op":"sum","points":"stay"}},"format":1}`+"\n"+`{"window":"all"}`+"\n"+`{"period":"all"}`+"\n"+
		`{"points":"m","base":{"group":"a","score":2},"left":[{"group":"a","score":1}]}`+"\n"+`{"ended":"d","lines":5}`+"\n")
	return list
}

// TestSeeds checks that the fuzzer begins with files that are read.
func TestSeeds(t *testing.T) {
	for _, text := range seeds() {
		written, ok := again(t, text)
		require.True(t, ok, text)
		second, _ := again(t, written)
		require.Equal(t, written, second)
	}
}

// FuzzRead reads any text. What becomes a board can be written and read again, to the same bytes.
func FuzzRead(f *testing.F) {
	for _, text := range seeds() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, ok := again(t, text)
		if !ok {
			return
		}
		second, ok := again(t, first)
		require.True(t, ok, first)
		require.Equal(t, first, second)
	})
}

// again reads boards and writes them.
func again(t *testing.T, text string) (written string, ok bool) {
	clock := testclock.New()
	e, err := engine.Open("data", engine.Options{FS: memfs.NewCrashable(), Clock: clock.Now})
	require.NoError(t, err)
	defer func() { require.NoError(t, e.Close()) }()
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, boards.Close()) }()
	report, err := Read(t.Context(), strings.NewReader(text), boards, Options{})
	if err != nil {
		t.Log(err)
		return "", false
	}
	_, err = boards.Check(t.Context(), nil)
	require.NoError(t, err)
	var b bytes.Buffer
	for _, kind := range report.Kinds {
		_, err := WriteGroups(t.Context(), &b, boards, kind)
		require.NoError(t, err)
	}
	for _, name := range report.Boards {
		_, err := Write(t.Context(), &b, boards, name, Options{Partial: true})
		require.NoError(t, err)
	}
	return b.String(), b.Len() > 0
}
