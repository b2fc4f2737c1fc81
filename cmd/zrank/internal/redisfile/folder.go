package redisfile

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/zrankdb/zrank/internal/numbers"
)

// appendOnly returns the files of a folder of append-only files, in order: its manifest names them.
func appendOnly(dir string) ([]string, error) {
	manifests, err := filepath.Glob(filepath.Join(dir, "*.manifest"))
	if err != nil || len(manifests) != 1 {
		return nil, errors.Join(err, errors.New("is a directory without the manifest of append-only files; to import is a file of Redis, such as dump.rdb, its folder appendonlydir, or a file of \"zrank export\""))
	}
	f, err := os.Open(manifests[0])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var base, increments []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		w := strings.Fields(lines.Text())
		if len(w) == 0 || strings.HasPrefix(w[0], "#") {
			continue
		}
		if len(w) < 6 || w[0] != "file" || w[2] != "seq" || w[4] != "type" || w[1] != filepath.Base(w[1]) {
			return nil, fmt.Errorf("%s: %.100q is no line of a manifest", filepath.Base(manifests[0]), lines.Text())
		}
		switch path := filepath.Join(dir, w[1]); w[5] {
		case "b":
			base = append(base, path)
		case "i":
			increments = append(increments, path)
		}
	}
	if len(base) > 1 || len(base)+len(increments) == 0 {
		return nil, fmt.Errorf("%s: it names %s and %s", filepath.Base(manifests[0]), numbers.Plural(len(base), "base"), numbers.Plural(len(increments), "increment"))
	}
	return append(base, increments...), nil
}
