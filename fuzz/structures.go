package fuzz

import (
	"fmt"

	"github.com/zrankdb/zrank/skiplist"
	"github.com/zrankdb/zrank/zset"
)

// Sets are configurations of zset alone: each encoding, and the move between them at hard places.
func Sets() (list []Config) {
	for _, o := range []zset.Options{
		{},
		{MaxListpackEntries: 1 << 15, MaxListpackMember: 1 << 12},
		{MaxListpackEntries: -1},
		{MaxListpackEntries: 1},
		{MaxListpackEntries: 7, MaxListpackMember: 2},
	} {
		list = append(list, Config{
			Name:   fmt.Sprintf("zset/entries=%d,member=%d", o.MaxListpackEntries, o.MaxListpackMember),
			Layer:  "zset",
			light:  true,
			has:    func(op Op) bool { return !op.is(whole) },
			oracle: floatOracle,
			open:   func() (machine, error) { return zsetMachine(o) },
		})
	}
	return list
}

// Structures are configurations of the two structures below zset: of listpacks, in which nothing can be set, and of skiplists
// whose leaves are small, so that runs of equal scores cross them, and whose towers are as low and as high as they get.
func Structures() []Config {
	of := func(layer, name string, every int, m func() machine) Config {
		return Config{Name: layer + "/" + name, Layer: layer, Rates: rates("reopen", every), light: true, oracle: floatOracle,
			has:  func(op Op) bool { return !op.is(whole) && op.Kind != "addif" && op.Kind != "incrif" },
			open: func() (machine, error) { return m(), nil }}
	}
	list := []Config{of("listpack", "decode=50", 50, listpackMachine), of("listpack", "decode=1", 1, listpackMachine)}
	skiplists := func(name string, o skiplist.Options) {
		list = append(list, of("skiplist", name, 23, func() machine { return skiplistMachine(o) }))
	}
	always := func(height int) func() int { return func() int { return height } }
	skiplists("default", skiplist.Options{})
	skiplists("leaf=2,towers=1", skiplist.Options{LeafSize: 2, Height: always(1)})
	skiplists("leaf=2,groups", skiplist.Options{LeafSize: 2, Groups: true})
	skiplists("leaf=3,towers=16,groups", skiplist.Options{LeafSize: 3, Height: always(16), Groups: true})
	skiplists("leaf=64,towers=1,groups", skiplist.Options{LeafSize: 64, Height: always(1), Groups: true})
	return list
}
