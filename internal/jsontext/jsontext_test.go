package jsontext

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCheck: a text is refused if and only if the decoder would put U+FFFD where the text has something else.
func TestCheck(t *testing.T) {
	for _, good := range []string{`"ada"`, `"\ud83d\ude00"`, `"\\ud83d"`, `"\ufffd"`, "\"\ufffd\"", `"\\\ud83d\ude00x"`, `"\u00e4\n\""`, ``, `{"a":[1,"ä😀"]}`, `"\ud83`, `"\`, `"\uD83D\uDE00"`} {
		require.NoError(t, Check([]byte(good)), good)
	}
	for _, bad := range []string{"\"p\xff\"", "\"\xed\xa0\xbd\"", `"\ud83d"`, `"\ude00"`, `"\ud83dx"`, `"\ud83d\ud83d\ude00"`, `"\ude00\ud83d"`, `"\ud83d\\ude00"`, `"\\\ud83d"`, `"\ud83d\u0041"`, `"\ud83` + "\xff"} {
		require.ErrorIs(t, Check([]byte(bad)), ErrString, bad)
	}
}

// TestWhole: whole numbers become integers of the same value, and everything else stays as it is.
func TestWhole(t *testing.T) {
	for text, want := range map[string]string{
		`5.0`: `5`, `5e0`: `5`, `1E3`: `1000`, `1e+14`: `100000000000000`, `-0.0`: `0`, `-0e7`: `0`, `50e-1`: `5`, `0.5e1`: `5`, `-12.340e3`: `-12340`, `9007199254740991.0`: `9007199254740991`,
		`{"a.5":"1.0","b":[1.0,"\"2.0",-3.00]}`: `{"a.5":"1.0","b":[1,"\"2.0",-3]}`, `0.00`: `0`, `100.0`: `100`, `10e-1`: `1`,
	} {
		require.Equal(t, want, string(Whole([]byte(text))), text)
	}
	for _, same := range []string{`5`, `-0`, `5.5`, `1e-3`, `9007199254740992.0`, `1e16`, `1e400`, `1e-400`, `1e99999999999999999999`, `5.`, `.5`, `1e`, `01.0`, `1.0.0`, `--1.0`, `"5.0`, `true`, ``,
		`5.00000000000000000001`, `"\`} {
		require.Equal(t, same, string(Whole([]byte(same))), same)
	}
}

// TestWholeProperty: a number of JSON has the same value before and after, to the last digit.
func TestWholeProperty(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 15))
	for range 20_000 {
		var b strings.Builder
		for range 1 + rng.IntN(7) {
			b.WriteByte("0123456789000..eE+-"[rng.IntN(19)])
		}
		text := b.String()
		got := string(Whole([]byte(text)))
		if !json.Valid([]byte(text)) {
			continue
		}
		want, ok := new(big.Rat).SetString(text)
		if !ok { // an exponent that is too large to compute
			require.Equal(t, text, got)
			continue
		}
		is, ok := new(big.Rat).SetString(got)
		require.True(t, ok, got)
		require.Zero(t, want.Cmp(is), "%s became %s", text, got)
	}
}

// TestClean: the byte order mark goes, and a text that is refused is an error.
func TestClean(t *testing.T) {
	got, err := Clean([]byte("\ufeff{\"a\":2.0}"))
	require.NoError(t, err)
	require.Equal(t, `{"a":2}`, string(got))
	_, err = Clean([]byte(`"\ud83d"`))
	require.ErrorIs(t, err, ErrString)
}
