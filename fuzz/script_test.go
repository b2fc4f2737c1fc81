package fuzz

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
	"github.com/zrankdb/zrank/fuzz/internal/campaigns"
	"github.com/zrankdb/zrank/fuzz/internal/engines"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/processtest"
	"github.com/zrankdb/zrank/fuzz/internal/runner"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/fuzz/internal/structures"
	"github.com/zrankdb/zrank/internal/matrix"
)

var (
	seedFlag    = flag.Uint64("seed", 0, "seed of TestRandom; 0 takes one from the clock")
	scriptsFlag = flag.Int("scripts", 1, "number of scripts of TestRandom under each configuration")
	linesFlag   = flag.Int("lines", 70, "operations of each script")
)

// check runs a script under configurations. It shrinks a script that fails, and prints it in the form of a saved script.
func check(t *testing.T, configs []machine.Config, ops []script.Op) {
	t.Helper()
	for _, c := range configs {
		_, err := runner.Run(c, ops)
		if err == nil {
			continue
		}
		short := script.Shrink(ops, 500, func(s []script.Op) bool { _, err := runner.Run(c, s); return err != nil })
		_, again := runner.Run(c, short)
		t.Fatalf("%v\n\nshrunk to %d of %d lines:\n%v\n\nsave as fuzz/testdata/scripts/NAME:\n%s", err, len(short), len(ops),
			again, campaigns.Saved{About: "...", Configs: []string{c.Name}, Script: short})
	}
}

// TestScripts replays the saved scripts: hard cases, and every bug ever found. One without config lines runs under all
// configurations with -args -long, and otherwise under eight, not the same for each script.
func TestScripts(t *testing.T) {
	names, err := filepath.Glob("testdata/scripts/*")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	runs := 0
	for i, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			saved, err := campaigns.ParseSaved(string(text))
			require.NoError(t, err)
			configs := inTurn(campaigns.All(), i, matrix.Pick(8, len(campaigns.All())))
			if len(saved.Configs) > 0 {
				configs, err = saved.Choose(slices.Concat(campaigns.All(), processtest.Configs(t)))
				require.NoError(t, err)
			}
			check(t, configs, saved.Script)
			runs += len(configs)
		})
	}
	t.Logf("%d scripts, %d runs", len(names), runs)
}

// inTurn chooses n configurations, spread over the list, and others for the next i.
func inTurn(configs []machine.Config, i, n int) (chosen []machine.Config) {
	for j := range n {
		chosen = append(chosen, configs[(i*n+j*len(configs)/n)%len(configs)])
	}
	return chosen
}

// TestScriptsSayTheirSpecs: a script that gives the board with the many specs one of these says which
// combination it is, since its number means another one when a dimension changes.
func TestScriptsSayTheirSpecs(t *testing.T) {
	names, err := filepath.Glob("testdata/*/*")
	require.NoError(t, err)
	for _, name := range names {
		if filepath.Ext(name) == ".patch" {
			continue
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		ops, err := script.Parse(string(text))
		require.NoError(t, err, name)
		for _, op := range ops {
			if op.Kind == "migrate" && op.Key == boardspecs.Mixed {
				require.Contains(t, string(text), fmt.Sprintf("# mixed %d: %v\n", op.Lo, boardspecs.CombinationOf(op.Lo)), name)
			}
		}
	}
}

// TestSaved reads and writes saved scripts.
func TestSaved(t *testing.T) {
	text := "# About this.\n# config engine/memory\n# config engine/sync\nadd a m 1\n"
	saved, err := campaigns.ParseSaved(text)
	require.NoError(t, err)
	want := campaigns.Saved{About: "About this.", Configs: []string{"engine/memory", "engine/sync"}, Script: []script.Op{{Kind: "add", Key: "a", Member: "m", Score: 1}}}
	require.Equal(t, want, saved)
	require.Equal(t, text, saved.String())
	configs, err := saved.Choose(campaigns.All())
	require.NoError(t, err)
	require.Len(t, configs, 2)
	_, err = campaigns.Saved{Configs: []string{"nobody"}}.Choose(campaigns.All())
	require.ErrorContains(t, err, `"nobody"`)
	_, err = campaigns.ParseSaved("add a m 1")
	require.ErrorContains(t, err, "first line")
}

// TestRandom runs new scripts.
func TestRandom(t *testing.T) {
	seed := *seedFlag
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-seed %d", seed)
	for i := range uint64(*scriptsFlag) {
		for _, c := range campaigns.All() {
			check(t, []machine.Config{c}, c.Generate(seed+i, *linesFlag))
		}
	}
	t.Logf("%d scripts of %d operations under each of %d configurations", *scriptsFlag, *linesFlag, len(campaigns.All()))
}

// TestProperty runs scripts that gopter makes and shrinks.
func TestProperty(t *testing.T) {
	params := gopter.DefaultTestParameters()
	params.MinSuccessfulTests = 20
	params.MaxSize = 400
	t.Logf("seed %d", params.Seed())
	properties := gopter.NewProperties(params)
	properties.Property("histories are equal", prop.ForAll(func(data []uint8) (string, error) {
		ops := script.Decode("", data, 100)
		if err := compare(append(structures.Sets(), engines.Memory()), ops); err != nil {
			return err.Error() + "\n" + script.Print(ops), nil
		}
		return "", nil
	}, gen.SliceOf(gen.UInt8())))
	properties.TestingRun(t)
}

// addBytes adds so many inputs, of bytes that at tells from where they stand and the number of the input.
func addBytes(f *testing.F, inputs byte, at func(i int, seed byte) byte) {
	for seed := range inputs {
		data := make([]byte, 400)
		for i := range data {
			data[i] = at(i, seed)
		}
		f.Add(data)
	}
}

// FuzzScript reads bytes as operations.
func FuzzScript(f *testing.F) {
	addBytes(f, 3, func(i int, seed byte) byte { return byte(i*i*7+i/3) + seed*31 })
	configs := slices.Concat(structures.Sets(), engines.Volatile(), engines.Durable()[5:7])
	f.Fuzz(func(t *testing.T, data []byte) {
		check(t, configs, script.Decode("", data, 60))
	})
}

// compare runs a script under every configuration and returns the first error: F1.
func compare(configs []machine.Config, ops []script.Op) error {
	for _, c := range configs {
		if _, err := runner.Run(c, ops); err != nil {
			return err
		}
	}
	return nil
}
