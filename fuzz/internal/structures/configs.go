package structures

import (
	"fmt"

	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/oracle"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/skiplist"
	"github.com/zrankdb/zrank/zset"
)

// Sets are configurations of zset alone: each encoding, and moves between them at small thresholds.
func Sets() (list []machine.Config) {
	for _, o := range []zset.Options{
		{},
		{MaxListpackEntries: 1 << 15, MaxListpackMember: 1 << 12},
		{MaxListpackEntries: -1},
		{MaxListpackEntries: 1},
		{MaxListpackEntries: 7, MaxListpackMember: 2},
	} {
		list = append(list, machine.Config{
			Name:   fmt.Sprintf("zset/entries=%d,member=%d", o.MaxListpackEntries, o.MaxListpackMember),
			Layer:  "zset",
			Light:  true,
			Has:    func(op script.Op) bool { return !op.Is(script.Whole) },
			Oracle: oracle.NewFloat,
			Open:   func() (machine.Machine, error) { return zsetMachine(o) },
		})
	}
	return list
}

// Lists are configurations of the structures below zset. Listpacks have no options. Skiplists
// have small leaves, so that runs of equal scores span several, and the lowest and the highest towers.
func Lists() []machine.Config {
	of := func(layer, name string, every int, m func() machine.Machine) machine.Config {
		return machine.Config{Name: layer + "/" + name, Layer: layer, Rates: machine.Rates("reopen", every), Light: true, Oracle: oracle.NewFloat,
			Has:  func(op script.Op) bool { return !op.Is(script.Whole) && op.Kind != "addif" && op.Kind != "incrif" },
			Open: func() (machine.Machine, error) { return m(), nil }}
	}
	list := []machine.Config{of("listpack", "decode=50", 50, listpackMachine), of("listpack", "decode=1", 1, listpackMachine)}
	skiplists := func(name string, o skiplist.Options) {
		list = append(list, of("skiplist", name, 23, func() machine.Machine { return skiplistMachine(o) }))
	}
	always := func(height int) func() int { return func() int { return height } }
	skiplists("default", skiplist.Options{})
	skiplists("leaf=2,towers=1", skiplist.Options{LeafSize: 2, Height: always(1)})
	skiplists("leaf=2,groups", skiplist.Options{LeafSize: 2, Groups: true})
	skiplists("leaf=3,towers=16,groups", skiplist.Options{LeafSize: 3, Height: always(16), Groups: true})
	skiplists("leaf=64,towers=1,groups", skiplist.Options{LeafSize: 64, Height: always(1), Groups: true})
	return list
}
