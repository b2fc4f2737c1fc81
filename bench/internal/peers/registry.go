package peers

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

// Peer is one implementation of a sorted set. To add one, write a file with its Board and a row in All. Check then verifies it.
type Peer struct {
	Name   string // short, as in flags and columns
	Title  string // as in a README
	Linear bool   // ranks and pages cost O(n)
	// Unordered means that the peer keeps no order.
	Unordered bool
	// Outside means that the members are outside this process's heap and that other threads or processes do part of the work. Its times are
	// wall time, and it has no figures for objects and collections.
	Outside bool

	board   func() Board                       // makes a board, of a peer that needs nothing else
	start   func(dir string) (*Running, error) // starts any other peer
	program string                             // that the peer needs; empty: none
}

// All is every peer, ours first.
var All = []Peer{
	{Name: "zset", Title: "zset", board: newZset},
	{Name: "map", Title: "Go map", board: newGomap, Unordered: true},
	{Name: "counted", Title: "counted B+ tree + map", board: newCounted},
	{Name: "tidwall", Title: "tidwall/btree + map", board: newTidwall},
	{Name: "google", Title: "google/btree + map", board: newGoogle, Linear: true},
	{Name: "bytedance", Title: "bytedance zset", board: newBytedance},
	{Name: "workiva", Title: "Workiva skip list + map", board: newWorkiva},
	{Name: "huandu", Title: "huandu/skiplist + map", board: newHuandu, Linear: true},
	{Name: "pebble", Title: "Pebble alone", start: startPebble, Linear: true, Outside: true},
	{Name: "redis", Title: "redis-server, loopback", start: startRedis, Outside: true, program: "redis-server"},
}

// Running is a started peer.
type Running struct {
	New   func() Board // makes an empty board
	Close func() error // ends the peer with all its boards
	// Bytes returns the memory that all boards take outside this process's heap; nil: the peer cannot tell.
	Bytes func() (float64, error)
	// Fill inserts a stream without waiting for each answer; nil: the peer has no such way.
	Fill func(boards []Board, s *workload.Stream) error
}

// Start gets the peer ready. dir is an empty directory for one that wants files, and is not touched by others. Errors: those of a
// server or a database that does not start.
func (p Peer) Start(dir string) (*Running, error) {
	if p.start != nil {
		r, err := p.start(dir)
		if err != nil {
			return nil, fmt.Errorf("start %s: %w", p.Name, err)
		}
		return r, nil
	}
	return &Running{New: p.board, Close: func() error { return nil }}, nil
}

// Lacks returns the program that the peer needs and this machine does not have, or "".
func (p Peer) Lacks() string {
	if _, err := exec.LookPath(p.program); p.program == "" || err == nil {
		return ""
	}
	return p.program
}

// Select returns the peers with the given names in the order of All, zset always among them; no names means all. missing are the
// programs that some of all peers need and this machine does not have: those peers are left out. Errors: a name that is none, or
// is that of a peer whose program is missing.
func Select(names []string) (chosen []Peer, missing []string, err error) {
	wanted := []string{All[0].Name}
	for _, name := range names {
		wanted = append(wanted, strings.TrimSpace(name))
		if _, err := Named(strings.TrimSpace(name)); err != nil {
			return nil, nil, err
		}
	}
	for _, p := range All {
		if len(names) > 0 && !slices.Contains(wanted, p.Name) {
			continue
		}
		switch program := p.Lacks(); {
		case program == "":
			chosen = append(chosen, p)
		case len(names) > 0:
			return nil, nil, fmt.Errorf("peer %s: there is no %s in the path", p.Name, program)
		default:
			missing = append(missing, program)
		}
	}
	return chosen, missing, nil
}

// Named returns the peer of that name.
func Named(name string) (Peer, error) {
	for _, p := range All {
		if p.Name == name {
			return p, nil
		}
	}
	return Peer{}, fmt.Errorf("no peer %q; there are %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of all peers.
func Names() []string {
	names := make([]string, len(All))
	for i, p := range All {
		names[i] = p.Name
	}
	return names
}
