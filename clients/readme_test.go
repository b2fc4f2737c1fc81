package clients

import (
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/api"
)

// example is the code in a language that README.md shows, made to run against a server, and what it says that it prints.
func example(t *testing.T, language string, s *server) (code, prints string) {
	_, err := s.boards.Define(t.Context(), board.Spec{Name: "arena", Feed: &board.Feed{}})
	require.NoError(t, err)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, after, ok := strings.Cut(string(readme), "```"+language+"\n")
	require.True(t, ok)
	code, _, ok = strings.Cut(after, "```\n")
	require.True(t, ok)
	for _, m := range regexp.MustCompile(`//=> (.*)\n`).FindAllStringSubmatch(code, -1) {
		prints += m[1] + "\n"
	}
	require.NotEmpty(t, prints)
	return strings.NewReplacer("https://scores.example", s.api.URL, "KEY", gameKey).Replace(code), prints
}

// TestTypeScriptExample runs the example of README.md.
func TestTypeScriptExample(t *testing.T) {
	needNode(t)
	code, prints := example(t, "ts", newServer(t, slog.DiscardHandler, api.Options{}))
	dir := t.TempDir()
	client, err := os.ReadFile("typescript/zrank.ts")
	require.NoError(t, err)
	for name, text := range map[string]string{"zrank.ts": string(client), "example.ts": code, "package.json": `{"type":"module"}`} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	run(t, "typescript", nil, "node", "node_modules/typescript/bin/tsc", "--strict", "--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable",
		"--rewriteRelativeImportExtensions", filepath.Join(dir, "example.ts"))
	require.Equal(t, prints, run(t, dir, nil, "node", "example.js"))
}

// TestCSharpExample runs the example of README.md.
func TestCSharpExample(t *testing.T) {
	needMono(t)
	code, prints := example(t, "cs", newServer(t, slog.DiscardHandler, api.Options{}))
	dir := t.TempDir()
	source := "using System; using System.Threading.Tasks; using ZrankClient;\nstatic class Example {\nstatic void Main() { Run().GetAwaiter().GetResult(); }\nstatic async Task Run() {\n" + code + "}\n}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "Example.cs"), []byte(source), 0o600))
	run(t, "csharp", nil, "mcs", "-langversion:6", "-r:System.Net.Http.dll", "-out:"+filepath.Join(dir, "example.exe"), "Zrank.cs", filepath.Join(dir, "Example.cs"))
	require.Equal(t, prints, run(t, dir, nil, "mono", "example.exe"))
}
