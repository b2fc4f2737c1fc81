package clients

import (
	"log/slog"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/server/api"
)

// TestCSharp compiles Zrank.cs by Mono and runs ZrankTest.cs against a live server.
func TestCSharp(t *testing.T) {
	needMono(t)
	program := filepath.Join(t.TempDir(), "test.exe")
	run(t, "csharp", nil, "mcs", "-langversion:6", "-warnaserror", "-warn:4", "-r:System.Net.Http.dll", "-out:"+program, "Zrank.cs", "ZrankTest.cs")
	s := newServer(t, slog.DiscardHandler, api.Options{})
	require.Contains(t, run(t, "csharp", s.environment(), "mono", program), "csharp: all passed")
}

// needMono skips a test where Mono is not installed.
func needMono(t *testing.T) {
	for _, program := range []string{"mcs", "mono"} {
		if _, err := exec.LookPath(program); err != nil {
			skip(t, program+" is not installed")
		}
	}
}
