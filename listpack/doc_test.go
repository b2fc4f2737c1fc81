package listpack

import (
	"encoding/hex"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocExamples runs every example of doc.go, which is a line with "=>". Other lines must have no hex bytes.
func TestDocExamples(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	hexBytes := regexp.MustCompile(`\b[0-9a-f]{2} [0-9a-f]{2}\b`)
	ran := map[string]int{}
	for line := range strings.Lines(string(doc)) {
		example, want, ok := strings.Cut(strings.TrimPrefix(line, "//"), "=>")
		if !ok {
			require.False(t, hexBytes.MatchString(line), "bytes that no test runs: %s", line)
			continue
		}
		kind, arg, _ := strings.Cut(strings.TrimSpace(example), " ")
		ran[kind]++
		t.Run(strings.TrimSpace(example), func(t *testing.T) { runExample(t, kind, strings.TrimSpace(arg), unhex(t, want)) })
	}
	require.Equal(t, map[string]int{"text": 5, "list": 10}, ran)
}

// runExample encodes the text or list of an example and compares the bytes with want.
func runExample(t *testing.T, kind, arg string, want []byte) {
	switch kind {
	case "text":
		member := parseMember(t, arg)
		text := make([]byte, textSize(len(member)))
		length := putText(text, member)
		require.Equal(t, want, append([]byte{length}, text...))
	case "list":
		l := parseList(t, arg)
		require.Equal(t, want, l.AppendTo(nil))
		decoded, err := Decode(want)
		require.NoError(t, err)
		require.Equal(t, want, decoded.AppendTo(nil))
	default:
		t.Fatalf("no example of this kind: %s", kind)
	}
}

// parseMember reads `"a"*3` as the bytes of aaa.
func parseMember(t *testing.T, text string) []byte {
	quoted, times, repeated := strings.Cut(text, "*")
	n := 1
	if repeated {
		var err error
		n, err = strconv.Atoi(times)
		require.NoError(t, err)
	}
	return []byte(strings.Repeat(strings.Trim(quoted, `"`), n))
}

// parseList returns the list of `tie=8 (1 "tie" "member"*2) ...`. It inserts the entries in the given order.
func parseList(t *testing.T, text string) List {
	head, rest, _ := strings.Cut(text, " ")
	width, err := strconv.Atoi(strings.TrimPrefix(head, "tie="))
	require.NoError(t, err)
	l := New(width)
	entry := regexp.MustCompile(`\((\d+) (?:"([^"]*)" )?("[^"]*"(?:\*\d+)?)\)`)
	require.Empty(t, strings.TrimSpace(entry.ReplaceAllString(rest, "")))
	for _, m := range entry.FindAllStringSubmatch(rest, -1) {
		key, err := strconv.ParseUint(m[1], 10, 64)
		require.NoError(t, err)
		l.Insert(key, []byte(m[2]), parseMember(t, m[3]))
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
