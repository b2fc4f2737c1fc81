package main

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/remote"
)

// wholeNumbers are numbers as people and programs write them, with what a column of int64 makes of them at every door; "" is a refusal.
var wholeNumbers = map[string]string{
	"5": "5", "5.0": "5", "5e0": "5", "1E3": "1000", "1e+14": "100000000000000", "-0": "0", "-0.0": "0", "-12.50e1": "-125", "9007199254740991.0": "9007199254740991",
	"9223372036854775807": "9223372036854775807", "5.5": "", "1e-3": "", "9007199254740993e0": "", "1e19": "", "9223372036854775808": "", "1e400": "",
}

// TestWholeNumbers: every door takes a whole number however it is written, exactly, and none rounds another one.
func TestWholeNumbers(t *testing.T) {
	tmp := t.TempDir()
	spec := write(t, filepath.Join(tmp, "spec.json"), "\ufeff"+`{"name": "nums", "op": "last", "windows": ["all"]}`)
	s := startServer(t, "--memory", "--spec", spec)
	defer s.stop()
	resp := call(t, "tcp", s.addr)
	served := func(member string) string {
		r := zrank(strings.NewReader(""), "score", "--addr", s.api, "nums", member)
		return strings.TrimSpace(r.out)
	}
	sent := func(format, number string) string { // over HTTP
		status, text := fetch(t, http.DefaultClient, "POST", s.api+"/v1/boards/nums/scores", "", fmt.Sprintf(format, number))
		require.True(t, status == 200 || status == 422 || status == 400, text)
		score := served("http")
		_, _ = fetch(t, http.DefaultClient, "DELETE", s.api+"/v1/boards/nums/scores?member=http", "", "")
		return score
	}
	dir := filepath.Join(tmp, "lines")
	must(t, "replay", "--dir", dir, "--spec", spec, write(t, filepath.Join(tmp, "one.csv"), "time,member,score\n2026-03-01 00:00:00,jsonl,77\n"))
	lines := must(t, "export", "--dir", dir, "--format", "jsonl", "-")
	require.Equal(t, 1, strings.Count(lines, `"score":77`), lines)
	doors := map[string]func(i int, number string) string{
		"HTTP":       func(_ int, number string) string { return sent(`{"member":"http","score":%s}`, number) },
		"HTTP, list": func(_ int, number string) string { return sent(`{"member":"http","score":[%s]}`, number) },
		"HTTP, text": func(_ int, number string) string { return sent(`{"member":"http","score":"%s"}`, number) },
		"HTTP, batch": func(_ int, number string) string {
			status, text := fetch(t, http.DefaultClient, "POST", s.api+"/v1/boards/nums/scores/batch", "", `{"submissions":[{"member":"batch`+number+`","score":[`+number+`]}]}`)
			require.True(t, status == 200 || status == 422 || status == 400, text)
			return served("batch" + number)
		},
		"RESP": func(_ int, number string) string {
			resp.says(t, "BOARD.SUBMIT nums resp"+number+" "+number)
			return served("resp" + number)
		},
		"CSV": func(i int, number string) string {
			dir := filepath.Join(tmp, fmt.Sprint("csv", i))
			zrank(strings.NewReader("\ufefftime,member,score\n2026-03-01 00:00:00.5,ada,"+number+"\n"), "replay", "--dir", dir, "--spec", spec, "-")
			return strings.TrimSpace(zrank(strings.NewReader(""), "score", "--dir", dir, "nums", "ada").out)
		},
		"JSONL": func(i int, number string) string {
			dir := filepath.Join(tmp, fmt.Sprint("jsonl", i))
			zrank(strings.NewReader(strings.Replace(lines, `"score":77`, `"score":`+number, 1)), "import", "--dir", dir, "-")
			return strings.TrimSpace(zrank(strings.NewReader(""), "score", "--dir", dir, "nums", "jsonl").out)
		},
	}
	for name, door := range doors {
		for i, number := range slices.Sorted(maps.Keys(wholeNumbers)) {
			require.Equal(t, wholeNumbers[number], door(i, number), "%s: %s", name, number)
		}
	}
	for near, want := range map[string]int{"2": 200, "2.0": 200, "2e0": 200, "0.2E1": 200, "-0": 200, "2.5": 422} {
		status, text := fetch(t, http.DefaultClient, "POST", s.api+"/v1/boards/nums/scores", "", `{"member":"near","score":1,"near":`+near+`,"skill":-0.0}`)
		require.Equal(t, want, status, "%s: %s", near, text)
	}
}

// memberNames are names of members as JSON has them, with the members that they are; "" is a refusal.
var memberNames = map[string]string{
	`ada`: "ada", `\ud83d\ude00`: "\U0001F600", `\ufffd`: "\ufffd", "\ufffd": "\ufffd", `base64:cP8`: "p\xff", `base64:cP4`: "p\xfe", `\\ud83d`: `\ud83d`, `\ud83d`: "", `p\ude00`: "", "p\xff": "", "p\xfe": "",
	"\xed\xa0\xbd": "", `base64:*`: "",
}

// TestNames: no door makes one member of two names. Bytes that are no UTF-8 are base64: where JSON carries them, and themselves elsewhere.
func TestNames(t *testing.T) {
	tmp := t.TempDir()
	spec := write(t, filepath.Join(tmp, "spec.json"), `{"name": "names", "windows": ["all"]}`)
	s := startServer(t, "--memory", "--spec", spec)
	defer s.stop()
	boards, err := remote.New(s.api, remote.Options{})
	require.NoError(t, err)
	b, err := boards.Board(t.Context(), "names")
	require.NoError(t, err)
	ranked := func() (members []string) {
		k, err := b.Live(t.Context(), "all")
		require.NoError(t, err)
		rows, err := k.Top(t.Context(), 100)
		require.NoError(t, err)
		for _, row := range rows {
			members = append(members, row.Member)
			_, err := b.Remove(t.Context(), row.Member)
			require.NoError(t, err)
		}
		return members
	}
	for text, member := range memberNames {
		for _, path := range []string{"scores", "scores/apply", "scores/batch"} {
			body := `{"member":"` + text + `","score":1}`
			if path == "scores/batch" {
				body = `{"submissions":[` + body + `]}`
			}
			status, answer := fetch(t, http.DefaultClient, "POST", s.api+"/v1/boards/names/"+path, "", body)
			if member == "" {
				require.Equal(t, 422, status, "%s %q: %s", path, text, answer)
				require.Empty(t, ranked(), "%s %q", path, text)
				continue
			}
			require.Equal(t, 200, status, "%s %q: %s", path, text, answer)
			require.Equal(t, []string{member}, ranked(), "%s %q", path, text)
		}
	}
	for _, member := range []string{"p\xff", "p\xfe", "base64:", "\ufffd"} {
		_, err := b.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(1), Once: member})
		require.NoError(t, err)
	}
	require.ElementsMatch(t, []string{"p\xff", "p\xfe", "base64:", "\ufffd"}, ranked(), "by the client in Go")
	for query, want := range map[string]int{"p%ff": 422, "base64:cP8": 404, "ada": 404} {
		status, text := fetch(t, http.DefaultClient, "GET", s.api+"/v1/boards/names/windows/all/rank?member="+query, "", "")
		require.Equal(t, want, status, "%s: %s", query, text)
	}
	status, text := fetch(t, http.DefaultClient, "PUT", s.api+"/v1/boards/"+url.PathEscape("p"), "", "{\"windows\":[{\"name\":\"w\xff\",\"kind\":\"day\"}]}")
	require.Equal(t, 422, status, text)
	for _, wrong := range []string{"{\"name\": \"p\xff\"}", `{"name": "p\ud83d"}`} {
		fails(t, 1, "a string is no Unicode", "replay", "--dir", filepath.Join(tmp, "none"), "--spec", write(t, filepath.Join(tmp, "wrong.json"), wrong), "-")
	}
	dir := filepath.Join(tmp, "data")
	must(t, "replay", "--dir", dir, "--spec", spec, write(t, filepath.Join(tmp, "a.csv"), "\ufefftime,member,score\n2026-03-01 00:00:00,p\xff,2\n2026-03-01 00:00:01,p\xfe,1\n"))
	require.Contains(t, must(t, "export", "--dir", dir, "--format", "jsonl", "-"), base64.StdEncoding.EncodeToString([]byte("p\xff")), "CSV has bytes as they are")
	lines := strings.Replace(must(t, "export", "--dir", dir, "--format", "jsonl", "-"), "base64:"+base64.StdEncoding.EncodeToString([]byte("p\xff")), "p\xff", 1)
	r := zrank(strings.NewReader(lines), "import", "--dir", filepath.Join(tmp, "again"), "-")
	require.Contains(t, r.errs, "a string is no Unicode")
}

// TestByteOrderMarks: files that an editor has put a byte order mark before are read as without.
func TestByteOrderMarks(t *testing.T) {
	const bom = "\ufeff"
	tmp := t.TempDir()
	spec := write(t, filepath.Join(tmp, "spec.json"), bom+`[{"name": "arena", "windows": ["all"]}, {"name": "guilds", "derived": {"from": "arena", "groups": "guild"}}]`)
	users := write(t, filepath.Join(tmp, "users"), bom+"game secret\n")
	keys := write(t, filepath.Join(tmp, "keys"), bom+"game all "+allSecret+"\n")
	key := write(t, filepath.Join(tmp, "key"), bom+allSecret+"\r\n")
	s := startServer(t, "--memory", "--spec", spec, "--users", users, "--api-keys", keys)
	defer s.stop()
	require.Equal(t, "+OK", call(t, "tcp", s.addr).says(t, "AUTH game secret"))
	require.Contains(t, must(t, "boards", "--addr", s.api, "--key-file", key), "arena")
	dir := filepath.Join(tmp, "data")
	must(t, "replay", "--dir", dir, "--spec", spec, write(t, filepath.Join(tmp, "a.csv"), bom+"time,board,member,score\n2026-03-01 00:00:00,arena,ada,5\n"))
	must(t, "groups", "import", "--dir", dir, "--create", "guild", write(t, filepath.Join(tmp, "g.csv"), bom+"member,group\nada,wolves\n"))
	require.Contains(t, must(t, "top", "--dir", dir, "guilds"), "wolves")
	require.Contains(t, must(t, "union", "--dir", dir, "--spec", write(t, filepath.Join(tmp, "u.json"), bom+`{"sources": [{"board": "arena"}]}`)), "ada")
}
