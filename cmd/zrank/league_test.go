package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const cohortHeader = "period,tier,cohort,rank,member,score,reached,meta,beyond,zone\n"

// TestLeague: league shows a cohort with its zones, and the promotions of a closed week.
func TestLeague(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	spec := `[{"name": "arena", "windows": ["week"], "leagues": {"window": "week", "tiers": ["bronze", "silver"], "size": 3, "up": 1, "down": 1}}, {"name": "plain", "windows": ["week"]}]`
	must(t, "replay", "--dir", dir, "--spec", write(t, filepath.Join(tmp, "spec.json"), spec), write(t, filepath.Join(tmp, "in.csv"), "time,board,member,score\n"+
		"2026-11-16T10:00:00Z,arena,ada,5\n2026-11-16T10:01:00Z,arena,bea,7\n2026-11-16T10:02:00Z,plain,bea,7\n2026-11-23T10:00:00Z,arena,bea,2\n"))
	require.Equal(t, cohortHeader+"2026-W48,silver,1,1,bea,2,2026-11-23T10:00:00Z,,,stay\n", must(t, "league", "--dir", dir, "--format", "csv", "arena", "bea"))
	require.Equal(t, cohortHeader+"2026-W47,bronze,1,1,bea,7,2026-11-16T10:01:00Z,,,up\n2026-W47,bronze,1,2,ada,5,2026-11-16T10:00:00Z,,,stay\n",
		must(t, "league", "--dir", dir, "--period", "2026-W47", "--format", "csv", "arena", "ada"))
	require.Equal(t, `{"member":"bea","zone":"up","from":"bronze","to":"silver","cohort":1}`+"\n",
		must(t, "league", "--dir", dir, "--period", "2026-W47", "--format", "json", "arena"))
	fails(t, 1, "board: member is in no cohort", "league", "--dir", dir, "arena", "ada")
	fails(t, 1, "board: has no leagues", "league", "--dir", dir, "plain", "bea")
	fails(t, 1, "board: has no leagues", "league", "--dir", dir, "--period", "last", "plain", "bea")
	fails(t, 2, "want MEMBER, or --period", "league", "--dir", dir, "arena")
	require.Contains(t, must(t, "check", "--dir", dir), "0")
}

// TestTier: tier shows the tier of a member, and gives it another one, which is in the audit log.
func TestTier(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	spec := `[{"name": "arena", "windows": ["week"], "leagues": {"window": "week", "tiers": ["bronze", "silver"], "size": 3, "up": 1, "down": 1}}, {"name": "plain", "windows": ["week"]}]`
	must(t, "replay", "--dir", dir, "--spec", write(t, filepath.Join(tmp, "spec.json"), spec), write(t, filepath.Join(tmp, "in.csv"), "time,board,member,score\n2026-11-16T10:00:00Z,arena,ada,5\n2026-11-16T10:00:00Z,plain,ada,5\n"))
	shown := func(tier string) {
		require.Equal(t, "tier\n"+tier+"\n", must(t, "tier", "--dir", dir, "--format", "csv", "arena", "ada"))
	}
	shown("bronze")
	require.Equal(t, "arena · ada would be in tier silver: 0 places (dry run)\n", must(t, "tier", "--dir", dir, "--dry-run", "arena", "ada", "silver"))
	shown("bronze")
	require.Equal(t, `{"entry":1}`+"\n",
		must(t, "tier", "--dir", dir, "--by", "mod", "--reason", "paid", "--format", "json", "arena", "ada", "silver"))
	shown("silver")
	require.Contains(t, must(t, "audit", "--dir", dir, "--kind", "tier", "--format", "json"), `"member":"ada","by":"mod","reason":"paid","tier":"silver"`)
	require.Equal(t, "arena · ada is in tier bronze: 0 places; entry 2 of the audit log\n", must(t, "tier", "--dir", dir, "arena", "ada", "bronze"))
	require.Equal(t, `{"tier":"bronze"}`+"\n", must(t, "tier", "--dir", dir, "--format", "json", "arena", "base64:_w"))
	fails(t, 1, `board: no such tier: "gold", want one of bronze, silver`, "tier", "--dir", dir, "arena", "ada", "gold")
	fails(t, 1, "board: has no leagues", "tier", "--dir", dir, "plain", "ada")
}
