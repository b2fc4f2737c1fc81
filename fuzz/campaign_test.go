package fuzz

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/fuzz/internal/campaigns"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/runner"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/fuzz/internal/structures"
)

// broken returns a configuration whose sets lose an entry at a reopen.
func broken(name string) machine.Config {
	c := structures.Sets()[0]
	c.Name, c.Rates = name, machine.Rates("reopen", 5)
	c.Open = func() (machine.Machine, error) { return structures.NewPlain(sound, forget), nil }
	return c
}

// healthy is a configuration without bugs. It calls opened for each run.
func healthy(name string, opened func()) machine.Config {
	c := structures.Sets()[0]
	c.Name = name
	c.Open = func() (machine.Machine, error) {
		opened()
		return structures.NewPlain(sound, nil), nil
	}
	return c
}

// TestCampaignFinds breaks one configuration of three, and expects a short script that fails again.
func TestCampaignFinds(t *testing.T) {
	configs := []machine.Config{healthy("one", func() {}), broken("two"), healthy("three", func() {})}
	c, err := campaigns.New(campaigns.Plan{Configs: configs, Seed: 5, Workers: 2})
	require.NoError(t, err)
	failures := c.Run(t.Context())
	require.Len(t, failures, 1)
	f := failures[0]
	require.Equal(t, "two", f.Config)
	require.False(t, f.Rarely)
	require.LessOrEqual(t, len(f.Script), 6)
	_, again := runner.Run(configs[1], f.Script)
	require.Equal(t, f.Err, again)
	_, whole := runner.Run(configs[1], configs[1].Generate(f.Seed, f.Lines))
	require.Error(t, whole)
	saved, err := campaigns.ParseSaved(f.Saved().String())
	require.NoError(t, err)
	require.Equal(t, f.Saved(), saved)
	t.Logf("%d of %d lines:\n%s", len(f.Script), f.Lines, saved)
}

// TestCampaignKeepsGoing expects a campaign that goes on after a failure and ends when every configuration has failed.
func TestCampaignKeepsGoing(t *testing.T) {
	c, err := campaigns.New(campaigns.Plan{Configs: []machine.Config{broken("one"), broken("two")}, Seed: 1, Lines: 100, Workers: 2, KeepGoing: true})
	require.NoError(t, err)
	failures := c.Run(t.Context())
	require.Len(t, failures, 2)
	for _, row := range c.Rows() {
		require.True(t, row.Failed)
		require.Positive(t, row.Scripts)
	}
}

// TestCampaignShares expects that configurations run about equally many scripts, and that Rows counts all scripts and operations.
func TestCampaignShares(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var mu sync.Mutex
	opened := 0
	count := func() {
		mu.Lock()
		defer mu.Unlock()
		if opened++; opened == 30 {
			stop()
		}
	}
	c, err := campaigns.New(campaigns.Plan{Configs: []machine.Config{healthy("one", count), healthy("two", count), healthy("three", count)}, Lines: 20, Workers: 3})
	require.NoError(t, err)
	require.Empty(t, c.Run(ctx))
	scripts, operations := 0, 0
	for _, row := range c.Rows() {
		require.InDelta(t, 10, row.Scripts, 3)
		scripts, operations = scripts+row.Scripts, operations+row.Counts.Operations
	}
	require.Equal(t, opened, scripts)
	require.Equal(t, 20*scripts, operations)
	require.NotEqual(t, campaigns.ScriptSeed(0, 1), campaigns.ScriptSeed(0, 2))
	require.NotEqual(t, campaigns.ScriptSeed(0, 1), campaigns.ScriptSeed(1, 1))
}

// stuck is a machine that does not reply.
type stuck struct{ *structures.Plain }

func (stuck) Run(script.Block) ([]string, error) { select {} }

// TestCampaignHang expects a failure for a script that does not end.
func TestCampaignHang(t *testing.T) {
	hang := machine.Config{Name: "stuck", Open: func() (machine.Machine, error) { return stuck{structures.NewPlain(sound, nil)}, nil }}
	c, err := campaigns.New(campaigns.Plan{Configs: []machine.Config{hang}, Lines: 20, Timeout: time.Millisecond})
	require.NoError(t, err)
	failures := c.Run(t.Context())
	require.Len(t, failures, 1)
	require.ErrorAs(t, failures[0].Err, new(*campaigns.HangError))
	require.Len(t, failures[0].Script, 20)
	require.True(t, strings.HasPrefix(failures[0].Saved().String(), "# fuzz: stuck: the script has not ended after 1ms"))
}

// TestPlan expects errors for wrong plans.
func TestPlan(t *testing.T) {
	_, err := campaigns.New(campaigns.Plan{})
	require.ErrorContains(t, err, "no configuration")
	_, err = campaigns.New(campaigns.Plan{Configs: campaigns.All(), Lines: -1})
	require.ErrorContains(t, err, "negative")
}
