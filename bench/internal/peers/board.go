package peers

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

// Board is the part of a sorted set that is measured. Ranks are 0-based, lowest score first; intervals of ranks are
// half-open and must lie within the board.
type Board interface {
	// Insert adds a member, which must be new; the board has to find that out for itself, and to own the text.
	Insert(k workload.Key, score float64)
	// Remove takes a member out, if it is there.
	Remove(k workload.Key)
	Score(k workload.Key) (float64, bool)
	Len() int
}

// Ordered is a Board that also knows order.
type Ordered interface {
	Board
	// Set gives a member, which must be there, another score.
	Set(k workload.Key, score float64)
	// Incr adds to the score of a member, which must be there.
	Incr(k workload.Key, delta float64)
	Rank(k workload.Key) (int, bool)
	// Page copies the entries with ranks in [lo, hi) into a buffer that the board reuses, and returns their number.
	Page(lo, hi int) int
	// Row returns entry i of the last page.
	Row(i int) (member string, score float64)
	// Walk visits the entries with ranks in [lo, hi) without copying them and folds them into one number.
	Walk(lo, hi int) uint64
}

// Peer names one implementation and says how to make an empty board.
type Peer struct {
	Name   string // short, as in flags and columns
	Title  string // as in a README
	Module string // module path; empty for Go itself and what is written here
	New    func() Board
	Linear bool // ranks and pages cost O(n)
}

// All is every peer, ours first.
var All = []Peer{
	{Name: "zset", Title: "zset", Module: "github.com/zrankdb/zrank", New: newZset},
	{Name: "map", Title: "Go map", New: newGomap},
	{Name: "counted", Title: "counted B+ tree + map", New: newCounted},
	{Name: "tidwall", Title: "tidwall/btree + map", Module: "github.com/tidwall/btree", New: newTidwall},
	{Name: "google", Title: "google/btree + map", Module: "github.com/google/btree", New: newGoogle, Linear: true},
	{Name: "bytedance", Title: "bytedance zset", Module: "github.com/bytedance/gopkg", New: newBytedance},
	{Name: "workiva", Title: "Workiva skip list + map", Module: "github.com/Workiva/go-datastructures", New: newWorkiva},
	{Name: "huandu", Title: "huandu/skiplist + map", Module: "github.com/huandu/skiplist", New: newHuandu, Linear: true},
}

// Select returns the peers with the given names in the order of All, zset always among them; no names means all.
func Select(names []string) ([]Peer, error) {
	if len(names) == 0 {
		return All, nil
	}
	wanted := map[string]bool{"zset": true}
	for _, name := range names {
		wanted[strings.TrimSpace(name)] = true
	}
	var chosen []Peer
	for _, p := range All {
		if wanted[p.Name] {
			chosen = append(chosen, p)
			delete(wanted, p.Name)
		}
	}
	for name := range wanted {
		return nil, unknown(name)
	}
	return chosen, nil
}

// Named returns the peer of that name.
func Named(name string) (Peer, error) {
	for _, p := range All {
		if p.Name == name {
			return p, nil
		}
	}
	return Peer{}, unknown(name)
}

func unknown(name string) error {
	return fmt.Errorf("no peer %q; there are %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of all peers.
func Names() []string {
	names := make([]string, len(All))
	for i, p := range All {
		names[i] = p.Name
	}
	return names
}

// row is an entry of the peers that keep strings.
type row struct {
	score  float64
	member string
}

// rowLess is the order of a sorted set.
func rowLess(a, b row) bool {
	if a.score != b.score {
		return a.score < b.score
	}
	return a.member < b.member
}

// fold adds an entry to a Walk's number. It reads the member's last byte, so that a walk has to fetch the text.
func fold(sum uint64, score float64, last byte) uint64 {
	return sum*31 + uint64(int64(score)) + uint64(last)
}
