package durable

import "fmt"

// The systems that are measured.
const (
	Zrank  = "zrank"
	Pebble = "pebble" // alone
	Memory = "memory" // zrank's engine without a disk
)

// level is how much a caller waits for.
type level string

const (
	waits    level = "sync"
	interval level = "interval" // of 100 ms
	none     level = "none"
)

// Case is one row of the table.
type Case struct {
	Name    string
	Title   string // at most 30 characters
	Systems []string
	callers int
	size    int // updates in a commit
	level   level
	// quiet keeps the engine from taking snapshots.
	quiet bool
}

// Cases is every case, in the order of the report. The second system of each is its peer.
var Cases = []Case{
	{Name: "sync/1", Title: "Sync, 1 caller", Systems: durably, callers: 1, size: 1, level: waits},
	{Name: "sync/16", Title: "Sync, 16 callers", Systems: durably, callers: 16, size: 1, level: waits},
	{Name: "sync/256", Title: "Sync, 256 callers", Systems: durably, callers: 256, size: 1, level: waits},
	{Name: "sync/batch", Title: "Sync, 1 caller, 256 a commit", Systems: durably, callers: 1, size: 256, level: waits},
	{Name: "interval", Title: "Interval(100ms), 1 caller", Systems: []string{Zrank, Memory}, callers: 1, size: 1, level: interval},
	{Name: "interval/quiet", Title: "Interval(100ms), no snapshots", Systems: []string{Zrank, Memory}, callers: 1, size: 1,
		level: interval, quiet: true},
	{Name: "none", Title: "None, 1 caller", Systems: []string{Zrank, Pebble}, callers: 1, size: 1, level: none},
}

var durably = []string{Zrank, Pebble}

// Named returns the case of a name.
func Named(name string) (Case, error) {
	for _, c := range Cases {
		if c.Name == name {
			return c, nil
		}
	}
	return Case{}, fmt.Errorf("no case %q", name)
}
