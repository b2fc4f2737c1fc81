package printable

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// TestHarmfulCharacters shows what must not be shown as it is.
func TestHarmfulCharacters(t *testing.T) {
	for _, x := range []struct{ in, text, name string }{
		{"ada", "ada", "ada"},
		{"Zoë 🦊", "Zoë 🦊", "Zoë 🦊"},
		{"a\x1b[2Jb", `a\x1b[2Jb`, `a\x1b[2Jb`},
		{"a\u202eb", `a\u202eb`, `a\u202eb`},
		{"a\u2028b\n", `a\u2028b\n`, `a\u2028b\n`},
		{"\xff\xfe", `\xff\xfe`, `\xff\xfe`},
		{`a\nb`, `a\nb`, `a\\nb`},
		{"\u0085\x7f", `\u0085\x7f`, `\u0085\x7f`},
	} {
		require.Equal(t, x.text, Text(x.in))
		require.Equal(t, x.name, Name(x.in))
	}
}

// FuzzName checks that what is shown is harmless UTF-8, and that two names never look the same.
func FuzzName(f *testing.F) {
	f.Add("a\n", `a\n`)
	f.Add("\xff", `\xff`)
	f.Fuzz(func(t *testing.T, a, b string) {
		x := Name(a)
		require.True(t, utf8.ValidString(x))
		require.Equal(t, x, Text(x))
		require.Equal(t, a == b, x == Name(b))
	})
}
