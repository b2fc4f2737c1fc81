package patches

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../../.."

// TestPatchesApply applies all patches to a copy of the code. It also checks that the tests that must notice a bug name the bug.
func TestPatchesApply(t *testing.T) {
	list, err := Read(root)
	require.NoError(t, err)
	dir := t.TempDir()
	_, err = Overlay(root, dir, list)
	require.NoError(t, err)
	tests := map[string]string{"TestSeededBugs of engine": proofs(t, "engine"), "TestSeededBugs of persist": proofs(t, "persist"),
		"TestSeededBugs of board": proofs(t, "board/local")}
	for _, bug := range list {
		for _, who := range bug.FoundBy {
			if who != Scripts {
				require.Contains(t, tests[who], strconv.Quote(bug.Name), bug.Patch)
			}
		}
		for _, name := range bug.Files {
			data, err := os.ReadFile(filepath.Join(dir, name))
			require.NoError(t, err)
			require.Contains(t, string(data), "seeded.Bug("+strconv.Quote(bug.Name)+")", bug.Patch)
		}
	}
}

// proofs returns the text of the files with the proofs of a package.
func proofs(t *testing.T, folder string) string {
	names, err := filepath.Glob(filepath.Join(root, folder, "seeded_*_test.go"))
	require.NoError(t, err)
	var b strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		b.Write(data)
	}
	return b.String()
}

const good = `Bug: nothing is added
Layer: zset
Found-By: scripts

--- a/sum.go
+++ b/sum.go
@@ -1,4 +1,7 @@
 package sums
 
 func sum(a, b int) int {
+	if seeded.Bug("nothing is added") {
+		return a
+	}
 	return a + b
`

// module makes a directory with a file and a patch.
func module(t *testing.T, patch string) string {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, Folder), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, Folder, "x.patch"), []byte(patch), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sum.go"), []byte("package sums\n\nfunc sum(a, b int) int {\n\treturn a + b\n}\n"), 0o600))
	return dir
}

func TestOverlay(t *testing.T) {
	from, to := module(t, good), t.TempDir()
	list, err := Read(from)
	require.NoError(t, err)
	overlay, err := Overlay(from, to, list)
	require.NoError(t, err)
	text, err := os.ReadFile(overlay)
	require.NoError(t, err)
	require.JSONEq(t, `{"Replace": {`+strconv.Quote(filepath.Join(from, "sum.go"))+`: `+strconv.Quote(filepath.Join(to, "sum.go"))+`}}`, string(text))
	patched, err := os.ReadFile(filepath.Join(to, "sum.go"))
	require.NoError(t, err)
	require.Equal(t, "package sums; import \"github.com/zrankdb/zrank/internal/seeded\"\n\nfunc sum(a, b int) int {\n"+
		"\tif seeded.Bug(\"nothing is added\") {\n\t\treturn a\n\t}\n\treturn a + b\n}\n", string(patched))
}

// TestRefusedPatches checks that each mistake in a patch gives an error that names the patch file.
func TestRefusedPatches(t *testing.T) {
	for name, patch := range map[string]string{
		"other code":    strings.Replace(good, "return a + b", "return b + a", 1),
		"no such file":  strings.ReplaceAll(good, "sum.go", "product.go"),
		"another name":  strings.Replace(good, "Bug: nothing", "Bug: all", 1),
		"no layer":      strings.Replace(good, "Layer: zset", "Layer: sums", 1),
		"nobody":        strings.Replace(good, "Found-By: scripts\n", "", 1),
		"never asked":   strings.Replace(good, "seeded.Bug(\"nothing is added\")", "true", 1),
		"no file":       good[:strings.Index(good, "---")],
		"not a header":  "nothing\n",
		"empty":         "",
		"no hunk":       good[:strings.Index(good, "@@")],
		"a broken hunk": good[:len(good)-len("\treturn a + b\n")],
	} {
		t.Run(name, func(t *testing.T) {
			from := module(t, patch)
			list, err := Read(from)
			if err == nil {
				_, err = Overlay(from, t.TempDir(), list)
			}
			require.ErrorContains(t, err, "x.patch")
		})
	}
	_, err := Read(t.TempDir())
	require.ErrorContains(t, err, "no patches")
}
