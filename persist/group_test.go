package persist

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// groupOf seals commits as the committer does.
func groupOf(g group, batches ...*Batch) []byte {
	var q queue
	for i, b := range batches {
		q.add(g.first+uint64(i), b)
	}
	g.commits = uint32(len(batches))
	v, _ := g.seal(q.chunks[0].log)
	return v
}

type seqEffect struct {
	Seq uint64
	Effect
}

// decodeGroup takes a value apart, to copies.
func decodeGroup(v []byte) (g group, out []seqEffect, err error) {
	if g, _, err = openGroup(v); err != nil {
		return g, nil, err
	}
	var d commitDecoder
	err = g.eachCommit(v, func(seq uint64, body *reader) error {
		return d.decode(body, func(e Effect) error {
			e.Member, e.Value = bytes.Clone(e.Member), bytes.Clone(e.Value)
			out = append(out, seqEffect{seq, e})
			return nil
		})
	})
	return g, out, err
}

func exampleBatch() *Batch {
	var b Batch
	b.Create("a", nil)
	b.Put("a", []byte("x"), []byte("1"))
	return &b
}

var exampleGroup = group{first: 7, commits: 1, durable: 6, millis: 1, store: 2, prev: 3}

// TestDocExample executes the example in doc.go: the bytes there are the bytes that are written.
func TestDocExample(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, text, ok := strings.Cut(string(doc), "after the group with crc 3:\n")
	require.True(t, ok)
	text, _, _ = strings.Cut(text, "// # Inv")
	text = strings.NewReplacer("//", "", "|", "", " ", "", "\t", "", "\n", "").Replace(text)
	got := hex.EncodeToString(groupOf(exampleGroup, exampleBatch()))
	require.Equal(t, text, got)
}

func TestGroupRoundTrip(t *testing.T) {
	var a, b, c Batch
	a.Create("boards/daily", []byte("meta"))
	a.Put("boards/daily", []byte{0, 0xff}, nil)
	a.Put("", nil, []byte("value in a set without a name"))
	a.Remove("boards/daily", []byte("m"))
	b.PutPrivate([]byte("k"), []byte("v"))
	for i := range 300 {
		c.Put(fmt.Sprint("set", i%100), []byte{byte(i)}, []byte{1})
	}
	c.Drop("set7")
	v := groupOf(group{first: 5, durable: 4}, &a, &b, &c)
	g, got, err := decodeGroup(v)
	require.NoError(t, err)
	require.Equal(t, uint64(7), g.last())
	require.Len(t, got, 4+301)
	require.Equal(t, seqEffect{5, Effect{Put, "boards/daily", []byte{0, 0xff}, []byte{}}}, got[1])
	require.Equal(t, seqEffect{5, Effect{Put, "", []byte{}, []byte("value in a set without a name")}}, got[2])
	require.Equal(t, seqEffect{7, Effect{Put, "set99", []byte{199}, []byte{1}}}, got[4+199])
	require.Equal(t, seqEffect{7, Effect{Kind: Drop, Set: "set7"}}, got[4+300])
	require.Less(t, len(c.log), 100*8+300*8, "a name is written once a commit")
}

// resealed changes a body byte by byte and makes the checksum right again: only the strict decoder is in the way.
func resealed(body ...byte) []byte {
	v := append(make([]byte, groupHeader), body...)
	v, _ = exampleGroup.seal(v)
	return v
}

func TestGroupStrict(t *testing.T) {
	good := groupOf(exampleGroup, exampleBatch())
	with := func(at int, b byte) []byte {
		v := bytes.Clone(good[:len(good)-groupTrailer])
		v[at] = b
		return appendCRC(v)
	}
	for name, v := range map[string][]byte{
		"empty":                    {},
		"header only":              good[:groupHeader],
		"magic":                    with(0, 0),
		"version":                  with(offVersion, 2),
		"flags":                    with(offFlags, 1),
		"length":                   with(offLength+3, 0x3f),
		"first 0":                  with(offFirst+7, 0),
		"first overflows":          appendCRC(slices.Replace(bytes.Clone(good[:len(good)-4]), offFirst, offFirst+8, bytes.Repeat([]byte{0xff}, 8)...)),
		"no commits":               with(offCommits+3, 0),
		"commits beyond the bytes": with(offCommits, 0x7f),
		"two commits, one there":   with(offCommits+3, 2),
		"durable not before":       with(offDurable+7, 7),
		"crc":                      append(bytes.Clone(good[:len(good)-1]), good[len(good)-1]^1),
		"tail":                     resealed(0, 0),
		"unknown kind":             resealed(3, 5, 0, 0),
		"kind 0":                   resealed(3, 0, 0, 0),
		"set not named":            resealed(2, 4, 1),
		"long varint":              resealed(4, 4, 0x80, 0x00, 0),
		"varint overflow":          resealed(12, 4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1),
		"varint cut":               resealed(2, 4, 0x80),
		"name beyond the commit":   resealed(3, 4, 0, 1, 'a'),
		"member beyond":            resealed(6, 3, 0, 1, 'a', 0xff, 1),
		"huge length":              resealed(9, 3, 0, 1, 'a', 0xff, 0xff, 0xff, 0xff, 0x0f),
		"value missing":            resealed(6, 2, 0, 1, 'a', 1, 'x'),
		"commit beyond":            resealed(9, 4, 0, 1, 'a'),
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := decodeGroup(v)
			require.ErrorIs(t, err, ErrCorrupt)
			var c *CorruptError
			require.ErrorAs(t, err, &c)
			require.NotEmpty(t, c.Reason)
		})
	}
}

func appendCRC(v []byte) []byte {
	crc := checksum(v)
	return append(v, byte(crc>>24), byte(crc>>16), byte(crc>>8), byte(crc))
}

func TestChain(t *testing.T) {
	c := chain{store: 1, next: 5, prev: 9}
	require.ErrorIs(t, c.step(group{first: 5, commits: 2, store: 2, prev: 9}, 0), ErrCorrupt)
	require.ErrorIs(t, c.step(group{first: 6, commits: 2, store: 1, prev: 9}, 0), ErrCorrupt)
	require.ErrorIs(t, c.step(group{first: 5, commits: 2, store: 1, prev: 8}, 0), ErrCorrupt)
	require.NoError(t, c.step(group{first: 5, commits: 2, store: 1, prev: 9}, 77))
	require.Equal(t, chain{1, 7, 77}, c)
}

// batchOf repeats effects into a batch.
func batchOf(effects []seqEffect) *Batch {
	var b Batch
	for _, e := range effects {
		add(&b, e.Effect)
	}
	return &b
}

func FuzzGroup(f *testing.F) {
	f.Add(groupOf(exampleGroup, exampleBatch()))
	f.Add(resealed(3, 5, 0, 0))
	f.Add(resealed(9, 3, 0, 1, 'a', 0xff, 0xff, 0xff, 0xff, 0x0f))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, v []byte) {
		_, _, err := decodeGroup(v)
		if err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
		}
		// The checksum keeps the fuzzer out of the rest: take the input as a group's commits too.
		if len(v) > 1<<16 {
			return
		}
		sealed, _ := group{first: 3, commits: 1, durable: 1}.seal(append(make([]byte, groupHeader), v...))
		g, effects, err := decodeGroup(sealed)
		if err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
			return
		}
		require.LessOrEqual(t, len(effects), len(v)/2)
		again := groupOf(g, batchOf(effects))
		_, same, err := decodeGroup(again)
		require.NoError(t, err)
		require.Equal(t, effects, same)
		require.LessOrEqual(t, len(again), len(sealed)+len(effects), "the encoder is the short form")
	})
}

func FuzzSetRecord(f *testing.F) {
	r := exampleRecord("daily")
	f.Add("daily", encodeSetRecord(&r))
	f.Add("daily", encodeRecord1(r, place{snapshot: 4, id: 5}, 7))
	f.Add("", []byte{})
	f.Fuzz(func(t *testing.T, name string, v []byte) {
		for _, value := range [][]byte{v, withSum(keySet(name), bytes.Clone(v))} {
			r, err := decodeSetRecord(keySet(name), value)
			if err != nil {
				require.ErrorIs(t, err, ErrCorrupt)
				continue
			}
			if !r.old {
				require.Equal(t, value, encodeSetRecord(&r))
			}
			n := 0
			for at := placesOf(&r); ; n++ {
				if _, ok := at.next(); !ok {
					break
				}
				if n > 1<<20 {
					return
				}
			}
			require.Equal(t, r.Pages, n)
		}
		_, err := decodePointer(v)
		require.True(t, err == nil || isCorrupt(err))
		if p, err := decodePointer(withSum(keyCurrent, bytes.Clone(v))); err == nil {
			require.Equal(t, v[4:], p.encode()[4:pointerSize], "all but the layout")
		}
		_, _, _ = decodeFormat(v)
		_, _ = decodeIdentity(v)
		_, _, _ = openPage([]byte(name), v)
	})
}

// exampleRecord is a set's record with pages of several snapshots.
func exampleRecord(name string) SetRecord {
	var w tableWriter
	for i, at := range []place{{4, 5, 11, true}, {4, 5, 12, true}, {300, 1, 13, true}, {4, 5, 14, true}} {
		at.crc += uint32(i) << 24
		w.add(at)
	}
	return SetRecord{Key: name, Meta: []byte("meta"), Base: 3, Pages: 4, Entries: 100, table: w.bytes()}
}

// encodeRecord1 writes a record as layout 1 did, in which one snapshot has written all pages.
func encodeRecord1(r SetRecord, at place, sum uint32) []byte {
	be := binary.BigEndian
	v := be.AppendUint64([]byte{1}, at.snapshot)
	v = be.AppendUint64(v, at.id)
	v = be.AppendUint64(v, r.Base)
	v = be.AppendUint32(v, uint32(r.Pages))
	v = be.AppendUint64(v, uint64(r.Entries))
	v = be.AppendUint32(v, sum)
	return withSum(keySet(r.Key), append(v, r.Meta...))
}

func isCorrupt(err error) bool { return errors.Is(err, ErrCorrupt) }

// TestRecordFlips flips each bit of each kind of record: all are seen.
func TestRecordFlips(t *testing.T) {
	set := exampleRecord("s")
	key := keyPage(1, 2, 3)
	page := make([]byte, 4+5)
	sealPage(page, key, []byte("hello"))
	n := identity{id: storeID{1, 2}, millis: 3}
	for name, c := range map[string]struct {
		value  []byte
		decode func(v []byte) error
	}{
		"group":    {groupOf(exampleGroup, exampleBatch()), func(v []byte) error { _, _, err := decodeGroup(v); return err }},
		"old set":  {encodeRecord1(set, place{snapshot: 4, id: 5}, 7), func(v []byte) error { _, err := decodeSetRecord(keySet("s"), v); return err }},
		"set":      {encodeSetRecord(&set), func(v []byte) error { _, err := decodeSetRecord(keySet("s"), v); return err }},
		"pointer":  {pointer{1, 2, 3, 4, 5}.encode(), func(v []byte) error { _, err := decodePointer(v); return err }},
		"format":   {encodeFormat(storeID{7}), func(v []byte) error { _, _, err := decodeFormat(v); return err }},
		"mark":     {exampleMark.encode(), func(v []byte) error { _, err := decodeMark(v); return err }},
		"page":     {page, func(v []byte) error { _, _, err := openPage(key, v); return err }},
		"identity": {n.encode(), func(v []byte) error { _, err := decodeIdentity(v); return err }},
	} {
		require.NoError(t, c.decode(c.value), name)
		for bit := range len(c.value) * 8 {
			c.value[bit/8] ^= 1 << (bit % 8)
			require.Error(t, c.decode(c.value), "%s, bit %d", name, bit)
			c.value[bit/8] ^= 1 << (bit % 8)
		}
		require.Error(t, c.decode(c.value[:len(c.value)-1]), name)
		require.Error(t, c.decode(append(c.value, 0)), name)
	}
	_, _, err := openPage(keyPage(1, 2, 4), page)
	require.ErrorIs(t, err, ErrCorrupt, "a page in the place of another")
	_, err = decodeSetRecord(keySet("t"), encodeSetRecord(&set))
	require.ErrorIs(t, err, ErrCorrupt, "a record under another name")
}

// TestSetRecordAllocations counts what opening costs for each set: its name, and table and facts in one piece.
func TestSetRecordAllocations(t *testing.T) {
	if invariants.Enabled {
		t.Skip("the checks in this build are not the code to measure")
	}
	r := exampleRecord("a name of more than a few bytes")
	key, value := keySet(r.Key), encodeSetRecord(&r)
	var got SetRecord
	require.Equal(t, 2.0, testing.AllocsPerRun(100, func() { got, _ = decodeSetRecord(key, value) }))
	require.Equal(t, r, got)
}
