package fuzz

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"
)

var (
	seedFlag    = flag.Uint64("seed", 0, "seed of TestRandom; 0 takes one from the clock")
	scriptsFlag = flag.Int("scripts", 6, "number of scripts of TestRandom")
	linesFlag   = flag.Int("lines", 400, "operations of each")
)

// check compares a script over configurations. A difference is shrunk and printed as a script to save.
func check(t *testing.T, configs []Config, script []Op) {
	t.Helper()
	err := Compare(configs, script)
	if err == nil {
		return
	}
	short := Shrink(script, 2000, func(s []Op) bool { return Compare(configs, s) != nil })
	t.Fatalf("%v\n\nshrunk to %d of %d lines:\n%v\n\nsave as fuzz/testdata/scripts/NAME:\n%s", err, len(short), len(script),
		Compare(configs, short), Print(short))
}

// TestScripts replays the saved scripts: hard cases, and every bug ever found.
func TestScripts(t *testing.T) {
	names, err := filepath.Glob("testdata/scripts/*")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(string(text), "# "), "say in the first line what the script is about")
			script, err := Parse(string(text))
			require.NoError(t, err)
			check(t, All(), script)
		})
	}
}

// TestRandom runs new scripts.
func TestRandom(t *testing.T) {
	seed := *seedFlag
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-seed %d", seed)
	for i := range uint64(*scriptsFlag) {
		check(t, All(), Generate(seed+i, *linesFlag))
	}
}

// TestProperty is the same with gopter's scripts and gopter's way to shrink them.
func TestProperty(t *testing.T) {
	params := gopter.DefaultTestParameters()
	params.MinSuccessfulTests = 40
	params.MaxSize = 400
	t.Logf("seed %d", params.Seed())
	properties := gopter.NewProperties(params)
	properties.Property("histories are equal", prop.ForAll(func(data []uint8) (string, error) {
		script := Decode(data, 100)
		if err := Compare(append(Sets(), Memory()), script); err != nil {
			return err.Error() + "\n" + Print(script), nil
		}
		return "", nil
	}, gen.SliceOf(gen.UInt8())))
	properties.TestingRun(t)
}

// FuzzScript reads bytes as operations.
func FuzzScript(f *testing.F) {
	for seed := range byte(8) {
		data := make([]byte, 400)
		for i := range data {
			data[i] = byte(i*i*7+i/3) + seed*31
		}
		f.Add(data)
	}
	configs := append(Sets(), Memory(), Durable()[2])
	f.Fuzz(func(t *testing.T, data []byte) {
		check(t, configs, Decode(data, 60))
	})
}
