package pages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/printable"
)

// FuzzMemberOf checks that every name comes back from what the pages show of it.
func FuzzMemberOf(f *testing.F) {
	for _, name := range []string{"ada", `a\b`, "\xff\xfe", "a\u202eb", "\u0085", "�", "\U000e0001", "\x00\n'\""} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		require.Equal(t, name, MemberOf(printable.Name(name)))
	})
}
