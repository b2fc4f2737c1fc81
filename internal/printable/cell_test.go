package printable

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"
)

// TestCells writes texts that spreadsheets could take for something else.
func TestCells(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "ada": "ada", "Bo \"B\", Jr": "Bo \"B\", Jr", "대": "대", "two\nlines": "two\nlines", "a;b": "a;b", "a-b": "a-b", "1+1=2": "1+1=2", " a": " a", "007": "007",
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "＝1": "'＝1", " =1": "' =1", "\u00a0=1": "'\u00a0=1", "\x01=1": "'\x01=1", "'x": "''x", "''x": "'''x",
		"\xff": "base64:/w==", "=\xff": "base64:Pf8=", "a\x00b": "base64:YQBi", "base64:x": "base64:YmFzZTY0Ong=",
		"a;=1": "base64:YTs9MQ==", "a\n=1": "base64:YQo9MQ==", "\t=1": "base64:CT0x", "a; \t-1": "base64:YTsgCS0x", "a;b=1": "a;b=1", "a;\"=1": "a;\"=1",
	} {
		require.Equal(t, want, Cell(text), "%q", text)
	}
}

// TestCellsOfAnyBytes: two texts are never the same cell, and no cell is a formula, nor has one where a cell may begin.
func TestCellsOfAnyBytes(t *testing.T) {
	bytes := gen.SliceOfN(6, gen.OneGenOf(gen.UInt8(), gen.OneConstOf([]any{byte('='), byte('-'), byte('\''), byte(';'), byte('\t'), byte('\n'), byte(' '), byte('a')}...)))
	properties := gopter.NewProperties(nil)
	properties.Property("safe", prop.ForAll(func(a, b []byte) bool {
		x, y := Cell(string(a)), Cell(string(b))
		for _, part := range strings.FieldsFunc(x, func(r rune) bool { return strings.ContainsRune(";\t\r\n", r) }) {
			if text := strings.TrimSpace(part); text != "" && strings.ContainsRune("=+-@", rune(text[0])) {
				return false
			}
		}
		return utf8.ValidString(x) && !strings.Contains(x, "\x00") && (string(a) == string(b)) == (x == y)
	}, bytes, bytes))
	properties.TestingRun(t)
	seen := map[string]string{} // all short texts of a few bytes
	var all func(text string)
	all = func(text string) {
		x := Cell(text)
		other, ok := seen[x]
		require.False(t, ok, "%q and %q are %q", text, other, x)
		if seen[x] = text; len(text) < 4 {
			for _, c := range "=';\n a:" {
				all(text + string(c))
			}
		}
	}
	all("")
	all("base64")
}
