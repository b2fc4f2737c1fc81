package events

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseValue(t *testing.T) {
	for text, want := range map[string]string{
		"22": "22", "-3.25": "-3.25", "+1": "1", "1e21": "1e+21", ".5": "0.5", "-0": "0", "-0.0": "0.0", "1e-400": "0.0", "22.0": "22.0", "9223372036854775807": "9223372036854775807",
		"9007199254740993": "9007199254740993", "9223372036854775808": "out of range",
		"NaN": "not finite", "Inf": "not finite", "-infinity": "not finite", "1e309": "out of range",
		"0x10": "not a number", "1_000": "not a number", "1,5": "not a number", " 1": "not a number", "ten": "not a number",
	} {
		t.Run(text, func(t *testing.T) {
			got, reason := parseValue("delta", text)
			if reason != "" {
				require.Contains(t, reason, want)
				require.Contains(t, reason, "delta")
				return
			}
			require.Equal(t, want, got.String())
		})
	}
}

func TestQuote(t *testing.T) {
	require.Equal(t, `"a\x1b\n"`, quote("a\x1b\n"))
	long := quote(string(make([]byte, 59)) + "é and much more")
	require.Contains(t, long, `\x00"...`, "no character is cut in two")
}
