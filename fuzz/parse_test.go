package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// FuzzParse checks that a text that Parse accepts stays the same when it is printed and parsed again.
func FuzzParse(f *testing.F) {
	f.Add(script.Print(script.Generate("", 1, 100)))
	f.Add(`add "\u00e9" m nan`)
	f.Fuzz(func(t *testing.T, text string) {
		ops, err := script.Parse(text)
		if err != nil {
			return
		}
		printed := script.Print(ops)
		again, err := script.Parse(printed)
		require.NoError(t, err, printed)
		require.Equal(t, printed, script.Print(again))
	})
}
