package listpack

import (
	"encoding/binary"
	"encoding/hex"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocExamples runs every line of doc.go that has "=>" in it, and looks for hex bytes on lines that have not.
func TestDocExamples(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	hexBytes := regexp.MustCompile(`\b[0-9a-f]{2} [0-9a-f]{2}\b`)
	ran := map[string]int{}
	for line := range strings.Lines(string(doc)) {
		what, want, ok := strings.Cut(strings.TrimPrefix(line, "//"), "=>")
		if !ok {
			require.False(t, hexBytes.MatchString(line), "bytes that no test runs: %s", line)
			continue
		}
		kind, arg, _ := strings.Cut(strings.TrimSpace(what), " ")
		ran[kind]++
		t.Run(strings.TrimSpace(what), func(t *testing.T) { runExample(t, kind, strings.TrimSpace(arg), unhex(t, want)) })
	}
	require.Equal(t, map[string]int{"length": 5, "back": 5, "list": 9}, ran)
}

func runExample(t *testing.T, kind, arg string, want []byte) {
	switch kind {
	case "length":
		n, err := strconv.Atoi(arg)
		require.NoError(t, err)
		require.Equal(t, want, binary.AppendUvarint(nil, uint64(n)))
		require.Equal(t, n, length(want, 0))
		require.Equal(t, len(want), after(0, n))
	case "back":
		n, err := strconv.Atoi(arg)
		require.NoError(t, err)
		require.Equal(t, want, appendBack(nil, n))
		// A byte before it, as a member may have, must not be read.
		end, body := readBack(append([]byte{0xff}, want...), len(want))
		require.Equal(t, []int{1, n}, []int{end, body})
	case "list":
		l := parseList(t, arg)
		require.Equal(t, want, l.Bytes())
		decoded, err := Decode(want)
		require.NoError(t, err)
		require.Equal(t, want, decoded.Bytes())
	default:
		t.Fatalf("no example of this kind: %s", kind)
	}
}

// parseList makes the list of `tie=8 (1 "tie" "member"*2) ...`, inserting the entries as they stand.
func parseList(t *testing.T, text string) List {
	head, rest, _ := strings.Cut(text, " ")
	width, err := strconv.Atoi(strings.TrimPrefix(head, "tie="))
	require.NoError(t, err)
	l := New(width)
	entry := regexp.MustCompile(`\((\d+) (?:"([^"]*)" )?"([^"]*)"(?:\*(\d+))?\)`)
	require.Empty(t, strings.TrimSpace(entry.ReplaceAllString(rest, "")))
	for _, m := range entry.FindAllStringSubmatch(rest, -1) {
		key, err := strconv.ParseUint(m[1], 10, 64)
		require.NoError(t, err)
		times := 1
		if m[4] != "" {
			times, err = strconv.Atoi(m[4])
			require.NoError(t, err)
		}
		l.Insert(key, []byte(m[2]), []byte(strings.Repeat(m[3], times)))
	}
	return l
}

// unhex reads "00 61*3" as the bytes 00 61 61 61.
func unhex(t *testing.T, text string) []byte {
	var out []byte
	for _, f := range strings.Fields(text) {
		digits, times, repeated := strings.Cut(f, "*")
		b, err := hex.DecodeString(digits)
		require.NoError(t, err)
		n := 1
		if repeated {
			n, err = strconv.Atoi(times)
			require.NoError(t, err)
		}
		out = append(out, []byte(strings.Repeat(string(b), n))...)
	}
	return out
}
