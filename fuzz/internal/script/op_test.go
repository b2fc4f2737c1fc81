package script

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPrintParse writes generated scripts and reads them back.
func TestPrintParse(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(20) {
		text := Print(Generate("", seed, 200))
		script, err := Parse("# seed\n\n" + text)
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, text, Print(script), "seed %d", seed)
		for _, op := range script {
			seen[op.Kind] = true
		}
	}
	for _, layer := range []string{"", "zset", "engine", "board"} {
		for _, kind := range mixOf(layer) {
			seen[kind] = true
		}
	}
	for _, k := range kinds {
		require.True(t, seen[k.name], "%s is never generated", k.name)
	}
}

// TestParse parses words, quoted words, scores and comments, and checks the errors of malformed lines.
func TestParse(t *testing.T) {
	script, err := Parse("  add a \"two words\" -0\n# no\naddt t \"\\x00\\xff\" -inf 18446744073709551615\nlex a - \"[a b\"")
	require.NoError(t, err)
	require.Equal(t, []Op{
		{Kind: "add", Key: "a", Member: "two words", Score: math.Copysign(0, -1)},
		{Kind: "addt", Key: "t", Member: "\x00\xff", Score: math.Inf(-1), Tie: math.MaxUint64},
		{Kind: "lex", Key: "a", Low: "-", High: "[a b"},
	}, script)
	require.True(t, math.Signbit(script[0].Score))
	for text, want := range map[string]string{
		"len a\nfly a":      `line 2: no operation is called "fly"`,
		"add a m":           "add takes 3 arguments, not 2",
		"add a m x":         `"x"`,
		"get \"a":           "does not end",
		"range a 1 2.5":     `"2.5"`,
		"addt t m 1 -1":     `"-1"`,
		"commit everything": "commit takes 0 arguments, not 1",
	} {
		_, err := Parse(text)
		require.ErrorContains(t, err, want, text)
	}
}
