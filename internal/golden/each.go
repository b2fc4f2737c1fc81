package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// Each unpacks every archive in testdata/golden. An archive has two stores: "closed" was closed, "live" was not. Each calls open with
// the directory of each store and the text that its content must give. It returns the number of archives and stores, and fails the test
// if there is no archive.
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
