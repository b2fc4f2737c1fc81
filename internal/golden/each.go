package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// Each takes out every archive in testdata/golden and calls open with each store in it, the one that was closed and the one that
// was not, and with the text that both must hold. It returns how many archives and stores there are, and fails if none.
func Each(t *testing.T, open func(archive, dir, want string)) (archives, stores int) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "golden", "*.tar.gz"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives in testdata/golden: %v", err)
	}
	for _, name := range names {
		root := t.TempDir()
		if err := Unpack(name, root); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(root, "want.txt"))
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{"closed", "live"} {
			open(name, filepath.Join(root, dir), string(want))
			stores++
		}
	}
	return len(names), stores
}
