package resptest

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/zrankdb/zrank/rdb"
)

// value returns a dump of a random value, as redis-server would make it. Sorted sets are binary: a listpack that is restored stays one in Redis, whatever the
// lengths of its members.
func (g *generator) value() string {
	d, err := rdb.NewDumper(rdb.WriteOptions{Compress: g.IntN(2) == 0, Thresholds: rdb.Thresholds{ListpackEntries: -1, IntsetEntries: -1}})
	if err != nil {
		return ""
	}
	if g.IntN(6) == 0 {
		return string(d.String(nil, []byte(g.member())))
	}
	var names [][]byte
	for range 1 + g.IntN(6) {
		if m := []byte(g.member()); !slices.ContainsFunc(names, func(other []byte) bool { return string(other) == string(m) }) {
			names = append(names, m)
		}
	}
	var b []byte
	if g.IntN(4) == 0 {
		b, err = d.Set(nil, len(names), slices.Values(names))
	} else {
		b, err = d.SortedSet(nil, len(names), func(yield func([]byte, float64) bool) {
			for _, m := range names {
				score, _ := strconv.ParseFloat(pick(g, goodScores...), 64)
				if !yield(m, score) {
					return
				}
			}
		})
	}
	switch {
	case err != nil:
		return ""
	case g.IntN(12) == 0:
		b[g.IntN(len(b))] ^= 1
	}
	return string(b)
}

// restore returns the arguments of RESTORE.
func (g *generator) restore() []string {
	ttl := pick(g, "0", "0", "0", "1000000000", "x", "-1", "9223372036854775807")
	words := g.shuffled(g.maybe(2, "REPLACE"), g.maybe(8, "IDLETIME", pick(g, "5", "0", "-1", "x")), g.maybe(8, "FREQ", pick(g, "5", "256", "x")), g.maybe(12, "ABSTTL"))
	return append([]string{g.key(), ttl, g.value()}, words...)
}

// contents keeps what a dump holds and in which encoding, in an order of its own: the order in which Redis writes a plain set is that of a hash table, and the sign of -0 is kept in
// a skiplist only.
func contents(_ []string, r Value) Value {
	v, err := rdb.OpenDump([]byte(r.Text), rdb.ReadOptions{})
	if err != nil {
		return r
	}
	var list []string
	switch v.Kind {
	case rdb.SortedSet:
		err = v.SortedSet(func(m []byte, score float64) error {
			list = append(list, fmt.Sprintf("%q %v", m, score+0))
			return nil
		})
	case rdb.Set:
		err = v.Set(func(m []byte) error {
			list = append(list, strconv.Quote(string(m)))
			return nil
		})
	default:
		return r
	}
	slices.SortFunc(list, cmp.Compare[string])
	return Value{Kind: r.Kind, Text: fmt.Sprint(v.Encoding, err, list)}
}
