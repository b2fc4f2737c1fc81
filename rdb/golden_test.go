package rdb

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"iter"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pair is a member of a sorted set.
type pair struct {
	member string
	score  float64
}

// descending returns pairs, which ascend, in descending order.
func descending(list []pair) iter.Seq2[[]byte, float64] {
	return func(yield func([]byte, float64) bool) {
		for i := len(list) - 1; i >= 0; i-- {
			if !yield([]byte(list[i].member), list[i].score) {
				return
			}
		}
	}
}

// sortPairs sorts by score and then member, as sorted sets do.
func sortPairs(list []pair) {
	slices.SortFunc(list, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.member, b.member))
	})
}

// pairsOf reads a sorted set.
func pairsOf(t require.TestingT, v *Value) (list []pair) {
	require.NoError(t, v.SortedSet(func(m []byte, score float64) error {
		list = append(list, pair{string(m), score})
		return nil
	}))
	return list
}

// vector is an entry of redis-golden.txt: members of a sorted set, and what DUMP of redis-server 7.0.15 with rdbcompression no has answered.
type vector struct {
	name   string
	pairs  []pair
	prefix []byte // of the dump
	suffix []byte // what follows a part that the file leaves out; nil: the prefix is all
}

var (
	vectorArgs = regexp.MustCompile(`(\S+) "([^"]*)"`)
	longMember = regexp.MustCompile(`^(.)\S*\.\.\.\((\d+) bytes\)$`)
)

func vectors(t require.TestingT) (list []vector) {
	b, err := os.ReadFile("testdata/redis-golden.txt")
	require.NoError(t, err)
	lines := strings.Split(string(b), "\n")
	for i := 1; i+2 < len(lines) && !strings.HasPrefix(lines[i], "random"); i += 3 {
		v := vector{name: strings.Fields(lines[i])[0]}
		for _, m := range vectorArgs.FindAllStringSubmatch(strings.TrimPrefix(lines[i+1], "  ZADD gk "), -1) {
			score, err := strconv.ParseFloat(m[1], 64)
			require.NoError(t, err)
			member := m[2]
			if long := longMember.FindStringSubmatch(member); long != nil {
				n, err := strconv.Atoi(long[2])
				require.NoError(t, err)
				member = strings.Repeat(long[1], n)
			}
			v.pairs = append(v.pairs, pair{member, score})
		}
		sortPairs(v.pairs)
		first, last, cut := strings.Cut(strings.TrimSpace(lines[i+2]), "...")
		v.prefix, err = hex.DecodeString(first)
		require.NoError(t, err)
		if cut {
			v.suffix, err = hex.DecodeString(last)
			require.NoError(t, err)
		}
		list = append(list, v)
	}
	require.Len(t, list, 14)
	return list
}

// dumperOf returns a Dumper that writes listpacks or not, whatever the size.
func dumperOf(t require.TestingT, listpack, compress bool) *Dumper {
	o := WriteOptions{Compress: compress, Thresholds: Thresholds{ListpackEntries: -1, IntsetEntries: -1}}
	if listpack {
		o.Thresholds = Thresholds{ListpackEntries: math.MaxInt, ListpackValue: math.MaxInt, IntsetEntries: math.MaxInt}
	}
	d, err := NewDumper(o)
	require.NoError(t, err)
	return d
}

func TestGoldenDumps(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.name, func(t *testing.T) {
			listpack := Encoding(v.prefix[0]) == SortedSetListpack
			dump, err := dumperOf(t, listpack, false).SortedSet(nil, len(v.pairs), descending(v.pairs))
			require.NoError(t, err)
			if v.suffix == nil {
				require.Equal(t, hex.EncodeToString(v.prefix), hex.EncodeToString(dump))
			} else {
				require.True(t, bytes.HasPrefix(dump, v.prefix), "%x", dump)
				require.True(t, bytes.HasSuffix(dump, v.suffix), "%x", dump)
			}
			value, err := OpenDump(dump, ReadOptions{})
			require.NoError(t, err)
			require.Equal(t, SortedSet, value.Kind)
			require.ElementsMatch(t, v.pairs, pairsOf(t, value))
		})
	}
}

func TestChecksum(t *testing.T) {
	require.Equal(t, uint64(0xe9c6d914c4b8d9ca), checksum(0, []byte("123456789")))
	all := []byte(strings.Repeat("The quick brown fox jumps over the lazy dog. ", 7))
	for cut := range all {
		require.Equal(t, checksum(0, all), checksum(checksum(0, all[:cut]), all[cut:]), "cut at %d", cut)
	}
}
