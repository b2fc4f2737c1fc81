package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGDScript parses zrank.gd. It does not run it: no Godot 4 can be installed here.
func TestGDScript(t *testing.T) {
	needNode(t)
	source, err := os.ReadFile("gdscript/zrank.gd")
	require.NoError(t, err)
	require.Contains(t, run(t, ".", nil, "node", "gdscript/parse.cjs", "gdscript/zrank.gd"), "gdscript: 0 errors")
	bad := filepath.Join(t.TempDir(), "bad.gd") // what is no GDScript is noticed
	require.NoError(t, os.WriteFile(bad, []byte(strings.Replace(string(source), "func top(board", "func top(:board", 1)), 0o600))
	require.NotContains(t, run(t, ".", nil, "node", "gdscript/parse.cjs", bad), "gdscript: 0 errors")
}
