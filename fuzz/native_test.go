package fuzz

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/fuzz/internal/campaigns"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
)

// fuzzLayers fuzzes the configurations of the given layers. The first byte of an input selects the configuration, the others are the script.
func fuzzLayers(f *testing.F, layers ...string) {
	var configs []machine.Config
	for _, c := range campaigns.All() {
		if slices.Contains(layers, c.Layer) {
			configs = append(configs, c)
		}
	}
	for i := range configs {
		data := []byte{byte(i)}
		for j := range 300 {
			data = append(data, byte(j*j*7+j/3+i*31))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 0 {
			c := configs[int(data[0])%len(configs)]
			check(t, []machine.Config{c}, c.Decode(data[1:], 60))
		}
	})
}

// FuzzStructures fuzzes the structures below zset, as sorted sets.
func FuzzStructures(f *testing.F) { fuzzLayers(f, "listpack", "skiplist") }

// FuzzEngine fuzzes engines: transactions, whole sets, expiry, kills and power cuts.
func FuzzEngine(f *testing.F) { fuzzLayers(f, "engine") }

// FuzzResp fuzzes servers with well-formed commands. FuzzServer of server/resp sends any bytes.
func FuzzResp(f *testing.F) { fuzzLayers(f, "resp") }

// TestTargets compares the table of doc.go with the fuzz targets of the repository.
func TestTargets(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(doc), "# Fuzz targets")
	named := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^//\t.+ {2,}(\S+) {2,}(Fuzz.*)$`).FindAllStringSubmatch(table, -1) {
		for name := range strings.SplitSeq(row[2], ", ") {
			named[row[1]+" "+name] = false
		}
	}
	targets := 0
	target := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range target.FindAllStringSubmatch(string(text), -1) {
			targets++
			name := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../") + " " + m[1]
			_, listed := named[name]
			require.True(t, listed, "%s is not in the table", name)
			named[name] = true
		}
		return err
	}))
	for name, exists := range named {
		require.True(t, exists, "there is no %s", name)
	}
	t.Logf("%d targets", targets)
}
