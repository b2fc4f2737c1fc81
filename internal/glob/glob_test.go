package glob

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rules are patterns with keys that match and keys that do not, as in Redis KEYS (stringmatchlen in util.c).
var rules = []struct {
	pattern   string
	yes, no   []string
	statement string
}{
	{"", []string{""}, []string{"a"}, "nothing matches nothing only"},
	{"*", []string{"", "a", "\x00\xff"}, nil, "a star matches anything"},
	{"a*", []string{"a", "ab"}, []string{"", "ba"}, "at the end"},
	{"*a", []string{"a", "ba", "aa"}, []string{"", "ab"}, "at the beginning"},
	{"a*b*c", []string{"abc", "aXbYc", "abbcc", "abcbc"}, []string{"acb", "ab", "abcb"}, "several"},
	{"**a**", []string{"a", "xay"}, []string{""}, "stars in a row are one"},
	{"?", []string{"a", "\xff", "?"}, []string{"", "ab"}, "a question mark is one byte"},
	{"h?llo", []string{"hello", "hallo"}, []string{"hllo", "heello"}, "from the manual"},
	{"h[ae]llo", []string{"hello", "hallo"}, []string{"hillo", "hllo"}, "from the manual"},
	{"h[^e]llo", []string{"hallo", "hbllo"}, []string{"hello", "hllo"}, "from the manual"},
	{"h[a-b]llo", []string{"hallo", "hbllo"}, []string{"hcllo", "h-llo"}, "from the manual"},
	{"[b-a]", []string{"a", "b"}, []string{"c", "-"}, "a range either way round"},
	{"[a-c-e]", []string{"b", "-", "e"}, []string{"d"}, "after a range a dash is itself"},
	{"[-a]", []string{"-", "a"}, []string{"b"}, "and at the beginning"},
	{"[a-]", []string{"a", "]", "^"}, []string{"-", "b"}, "a range up to the bracket, which then is not closed"},
	{"[]", nil, []string{"", "]", "a"}, "no byte is in an empty class"},
	{"[]a]", nil, []string{"a]", "]", "a"}, "a bracket closes at once"},
	{"[^]", []string{"a", "]", "\x00"}, []string{"", "ab"}, "every byte is not in an empty class"},
	{"[^^]", []string{"a"}, []string{"^"}, "only the first hat means something"},
	{"[a^]", []string{"a", "^"}, []string{"b"}, "and only at the beginning"},
	{"[ab", []string{"a", "b"}, []string{"", "c", "[ab", "ab"}, "one that is not closed ends with the pattern"},
	{"[", nil, []string{"", "["}, "an empty one that is not closed"},
	{"[^", []string{"a", "^"}, []string{""}, "and its opposite"},
	{"[\\]]", []string{"]"}, []string{"\\", "a"}, "a backslash in a class"},
	{"[\\a-c]", []string{"a", "-", "c"}, []string{"b", "\\"}, "no range begins with one"},
	{"[a\\", []string{"a", "\\"}, []string{"b"}, "at the end of the pattern it is itself"},
	{"[?*]", []string{"?", "*"}, []string{"a"}, "a class knows no other signs"},
	{"\\*", []string{"*"}, []string{"", "a", "\\*"}, "a backslash takes the next byte as it is"},
	{"\\[a]", []string{"[a]"}, []string{"a"}, "a bracket too"},
	{"\\a", []string{"a"}, []string{"\\a"}, "and any other byte"},
	{"\\\\", []string{"\\"}, []string{"\\\\"}, "and itself"},
	{"a\\", []string{"a\\"}, []string{"a"}, "at the end it is itself"},
	{"]", []string{"]"}, []string{""}, "outside of a class a bracket is itself"},
	{"^a-b", []string{"^a-b"}, []string{"b"}, "and so are hats and dashes"},
	{"\x00[\xf0-\xff]", []string{"\x00\xf5"}, []string{"\x00\x05"}, "bytes, not letters"},
	{"ä?", []string{"äx"}, []string{"ää"}, "a letter may be two bytes"},
}

func TestRules(t *testing.T) {
	n := 0
	for _, r := range rules {
		match := Compile(r.pattern)
		for _, key := range r.yes {
			require.True(t, match(key), "%s: %q matches %q", r.statement, r.pattern, key)
			require.True(t, naive(r.pattern, key), "the naive one, %q and %q", r.pattern, key)
		}
		for _, key := range r.no {
			require.False(t, match(key), "%s: %q does not match %q", r.statement, r.pattern, key)
			require.False(t, naive(r.pattern, key), "the naive one, %q and %q", r.pattern, key)
		}
		n += len(r.yes) + len(r.no)
	}
	t.Logf("%d patterns, %d keys", len(rules), n)
}

// naive is a simple matcher that tries every length for every star.
func naive(pattern, key string) bool {
	if pattern == "" {
		return key == ""
	}
	switch pattern[0] {
	case '*':
		return naive(pattern[1:], key) || key != "" && naive(pattern, key[1:])
	case '?':
		return key != "" && naive(pattern[1:], key[1:])
	case '[':
		in, rest := naiveClass(pattern[1:])
		return key != "" && in[key[0]] && naive(rest, key[1:])
	case '\\':
		if len(pattern) > 1 {
			pattern = pattern[1:]
		}
	}
	return key != "" && key[0] == pattern[0] && naive(pattern[1:], key[1:])
}

// naiveClass returns the bytes that a bracket expression matches, and the pattern after it. p begins after the opening bracket.
func naiveClass(p string) (in [256]bool, rest string) {
	p, not := strings.CutPrefix(p, "^")
	for p != "" && p[0] != ']' {
		low, high, width := p[0], p[0], 1
		switch {
		case p[0] == '\\' && len(p) > 1:
			low, high, width = p[1], p[1], 2
		case len(p) > 2 && p[1] == '-':
			low, high, width = min(p[0], p[2]), max(p[0], p[2]), 3
		}
		for b := int(low); b <= int(high); b++ {
			in[b] = true
		}
		p = p[width:]
	}
	for b := range in {
		in[b] = in[b] != not
	}
	return in, strings.TrimPrefix(p, "]")
}

// TestNaive compares Compile with the naive matcher, for random patterns and keys of a few characters.
func TestNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	text := func(signs string, n int) string {
		b := make([]byte, rng.IntN(n))
		for i := range b {
			b[i] = signs[rng.IntN(len(signs))]
		}
		return string(b)
	}
	n, matched := 300_000, 0
	if testing.Short() {
		n /= 10
	}
	for range n {
		pattern, key := text("ab*?[]^-\\", 9), text("abb]-", 7)
		got := Compile(pattern)(key)
		if want := naive(pattern, key); got != want {
			t.Fatalf("%q and %q: %v, want %v", pattern, key, got, want)
		}
		if got {
			matched++
		}
	}
	require.Greater(t, matched, n/100)
	t.Logf("%d patterns, %d matched", n, matched)
}

// TestManyStars matches patterns for which a matcher that goes back to every star would take exponential time.
func TestManyStars(t *testing.T) {
	key := strings.Repeat("a", 2000)
	for _, row := range []struct {
		pattern string
		want    bool
	}{
		{strings.Repeat("*a", 50) + "b", false},
		{strings.Repeat("*a", 50) + "*b", false},
		{strings.Repeat("a*", 50), true},
		{strings.Repeat("*[ab]", 500) + "*c*", false},
		{strings.Repeat("*", 1000), true},
		{strings.Repeat("*?", 1999) + "*b", false},
	} {
		require.Equal(t, row.want, Compile(row.pattern)(key), "%.20q", row.pattern)
	}
}

func FuzzGlob(f *testing.F) {
	for _, r := range rules {
		f.Add(r.pattern, strings.Join(r.yes, ""))
	}
	f.Fuzz(func(t *testing.T, pattern, key string) {
		if strings.Count(pattern, "*") > 4 || len(pattern)+len(key) > 200 {
			return // the naive one would not come back
		}
		require.Equal(t, naive(pattern, key), Compile(pattern)(key), "%q and %q", pattern, key)
	})
}
