package rdbfile

import (
	"maps"

	"github.com/zrankdb/zrank/rdb"
)

// Tally counts keys, and names the first of them.
type Tally struct {
	Keys    int    `json:"keys"`
	Members int    `json:"members,omitempty"` // of sorted sets and plain sets
	Example string `json:"example,omitempty"`
}

// add counts a key.
func (t *Tally) add(key []byte, members int) {
	if t.Keys == 0 {
		t.Example = string(key)
	}
	t.Keys++
	t.Members += members
}

// ImportReport says what Import has done, or with DryRun would do.
type ImportReport struct {
	// Stored are the keys that have been stored, by type: zset, set, string.
	Stored map[string]*Tally `json:"stored"`
	// Databases are the numbers of keys that have been stored, by database.
	Databases map[int]int `json:"databases"`
	// Others are the keys of types that are not kept, by type: hash, list, stream, and the names of the types of modules.
	Others map[string]*Tally `json:"others"`
	// Unkeyed is what the file has that belongs to no key, all of which is left out.
	Unkeyed rdb.Unkeyed `json:"unkeyed"`
	// Existing are the keys that had a value, which they keep.
	Existing Tally `json:"existing"`
	// Expired are the keys whose expiry is past.
	Expired Tally `json:"expired"`
	// Refused are the keys that cannot be stored, by reason.
	Refused map[string]*Tally `json:"refused"`
	// Unasked is how many keys ImportOptions.Match and DB leave out.
	Unasked int `json:"unasked"`
	// Taken is how many keys ImportOptions.Take has taken.
	Taken int `json:"taken,omitempty"`
	// Keys is how many keys of the file have been read.
	Keys int64 `json:"keys"`
	// Resumed is how many of these an earlier call had done, not 0 if it was interrupted.
	Resumed int64 `json:"resumed,omitempty"`
	// Before says that an earlier call has imported the whole file: nothing was done.
	Before bool `json:"before,omitempty"`
	// Version is the version of the file, and Aux what its writer says about it, such as redis-ver.
	Version int               `json:"version"`
	Aux     map[string]string `json:"aux,omitempty"`
}

func newReport() *ImportReport {
	return &ImportReport{Stored: map[string]*Tally{}, Databases: map[int]int{}, Others: map[string]*Tally{}, Refused: map[string]*Tally{}}
}

// clone returns a copy that shares nothing that changes.
func (r *ImportReport) clone() *ImportReport {
	c := *r
	c.Stored, c.Others, c.Refused, c.Databases = cloneAll(r.Stored), cloneAll(r.Others), cloneAll(r.Refused), maps.Clone(r.Databases)
	return &c
}

func cloneAll(table map[string]*Tally) map[string]*Tally {
	c := make(map[string]*Tally, len(table))
	for what, t := range table {
		own := *t
		c[what] = &own
	}
	return c
}

// count counts a key in a table of tallies.
func count(table map[string]*Tally, what string, key []byte, members int) {
	t := table[what]
	if t == nil {
		t = &Tally{}
		table[what] = t
	}
	t.add(key, members)
}

// ExportReport says what Export has written.
type ExportReport struct {
	Written map[string]*Tally `json:"written"` // by type: zset, set, string
	// Boards are the keys that are left out because their scores are int64: those of boards, and others of the program.
	Boards Tally `json:"boards"`
}
