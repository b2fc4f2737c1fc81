package format

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/formattest"
	"github.com/zrankdb/zrank/persist/wal"
)

// groupOf seals commits as the committer does.
func groupOf(g Group, batches ...*Batch) []byte {
	v := make([]byte, GroupHeader)
	for _, b := range batches {
		v = AppendBytes(v, CommitBody(b))
	}
	g.Commits = uint32(len(batches))
	v, _ = g.Seal(v)
	return v
}

type seqEffect struct {
	Seq uint64
	wal.Effect
}

// decodeGroup decodes a group and all its effects, whose bytes it copies.
func decodeGroup(v []byte) (g Group, out []seqEffect, err error) {
	if g, _, err = OpenGroup(v); err != nil {
		return g, nil, err
	}
	var d CommitDecoder
	err = g.EachCommit(v, func(seq uint64, body *Reader) error {
		return d.Decode(body, func(e wal.Effect) error {
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

var exampleGroup = Group{First: 7, Commits: 1, Durable: 6, Millis: 1, Store: 2, Prev: 3}

// TestDocExample executes the example in doc.go: the bytes there are the bytes that are written.
func TestDocExample(t *testing.T) {
	doc, err := os.ReadFile("../../doc.go")
	require.NoError(t, err)
	_, text, ok := strings.Cut(string(doc), "after the group with crc 3:\n")
	require.True(t, ok)
	text, _, _ = strings.Cut(text, "// # Inv")
	text = strings.NewReplacer("//", "", "|", "", " ", "", "\t", "", "\n", "").Replace(text)
	got := hex.EncodeToString(groupOf(exampleGroup, exampleBatch()))
	require.Equal(t, text, got)
}

// TestGroupRoundTrip encodes three commits as a group and decodes them again.
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
	v := groupOf(Group{First: 5, Durable: 4}, &a, &b, &c)
	g, got, err := decodeGroup(v)
	require.NoError(t, err)
	require.Equal(t, uint64(7), g.Last())
	require.Len(t, got, 4+301)
	require.Equal(t, seqEffect{5, wal.Effect{Kind: wal.Put, Set: "boards/daily", Member: []byte{0, 0xff}, Value: []byte{}}}, got[1])
	require.Equal(t, seqEffect{5, wal.Effect{Kind: wal.Put, Set: "", Member: []byte{}, Value: []byte("value in a set without a name")}}, got[2])
	require.Equal(t, seqEffect{7, wal.Effect{Kind: wal.Put, Set: "set99", Member: []byte{199}, Value: []byte{1}}}, got[4+199])
	require.Equal(t, seqEffect{7, wal.Effect{Kind: wal.Drop, Set: "set7"}}, got[4+300])
	require.Less(t, len(c.log), 100*8+300*8, "a name is written once a commit")
}

// resealed returns the example group with another body and a valid checksum, so that only the strict decoder can reject it.
func resealed(body ...byte) []byte {
	v := append(make([]byte, GroupHeader), body...)
	v, _ = exampleGroup.Seal(v)
	return v
}

// TestGroupStrict damages a group in one field or one effect at a time. Decoding must return a CorruptError with a reason.
func TestGroupStrict(t *testing.T) {
	good := groupOf(exampleGroup, exampleBatch())
	with := func(at int, b byte) []byte {
		v := bytes.Clone(good[:len(good)-GroupTrailer])
		v[at] = b
		return appendCRC(v)
	}
	for name, v := range map[string][]byte{
		"empty":                    {},
		"header only":              good[:GroupHeader],
		"magic":                    with(0, 0),
		"version":                  with(offVersion, 2),
		"flags":                    with(offFlags, 1),
		"length":                   with(OffLength+3, 0x3f),
		"first 0":                  with(OffFirst+7, 0),
		"first overflows":          appendCRC(slices.Replace(bytes.Clone(good[:len(good)-4]), OffFirst, OffFirst+8, bytes.Repeat([]byte{0xff}, 8)...)),
		"no commits":               with(offCommits+3, 0),
		"commits beyond the bytes": with(offCommits, 0x7f),
		"two commits, one there":   with(offCommits+3, 2),
		"durable not before":       with(offDurable+7, 7),
		"crc":                      append(bytes.Clone(good[:len(good)-1]), good[len(good)-1]^1),
		"tail":                     resealed(0, 0),
		"unknown kind":             resealed(3, 6, 0, 0),
		"note beyond the commit":   resealed(3, 5, 2, 0),
		"note after an effect":     resealed(5, 4, 0, 0, 5, 0),
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
			require.ErrorIs(t, err, wal.ErrCorrupt)
			var c *wal.CorruptError
			require.ErrorAs(t, err, &c)
			require.NotEmpty(t, c.Reason)
		})
	}
}

func appendCRC(v []byte) []byte {
	crc := Checksum(v)
	return append(v, byte(crc>>24), byte(crc>>16), byte(crc>>8), byte(crc))
}

func TestChain(t *testing.T) {
	c := Chain{Store: 1, Next: 5, Prev: 9}
	require.ErrorIs(t, c.Step(Group{First: 5, Commits: 2, Store: 2, Prev: 9}, 0), wal.ErrCorrupt)
	require.ErrorIs(t, c.Step(Group{First: 6, Commits: 2, Store: 1, Prev: 9}, 0), wal.ErrCorrupt)
	require.ErrorIs(t, c.Step(Group{First: 5, Commits: 2, Store: 1, Prev: 8}, 0), wal.ErrCorrupt)
	require.NoError(t, c.Step(Group{First: 5, Commits: 2, Store: 1, Prev: 9}, 77))
	require.Equal(t, Chain{Store: 1, Next: 7, Prev: 77}, c)
}

// batchOf returns a batch with the given effects.
func batchOf(effects []seqEffect) *Batch {
	var b Batch
	var notes Notes
	for _, e := range effects {
		if e.Kind == wal.Note {
			_ = notes.Add(e.Value)
		}
	}
	b.Note(&notes)
	for _, e := range effects {
		switch e.Kind {
		case wal.Create:
			b.Create(e.Set, e.Value)
		case wal.Put:
			b.Put(e.Set, e.Member, e.Value)
		case wal.Remove:
			b.Remove(e.Set, e.Member)
		case wal.Drop:
			b.Drop(e.Set)
		}
	}
	return &b
}

// FuzzGroup decodes any bytes as a group, and as the commits of a group with a valid checksum. Commits that decode must survive encoding
// and decoding.
func FuzzGroup(f *testing.F) {
	f.Add(groupOf(exampleGroup, exampleBatch()))
	f.Add(resealed(3, 6, 0, 0))
	f.Add(resealed(3, 5, 1, 7))
	f.Add(resealed(9, 3, 0, 1, 'a', 0xff, 0xff, 0xff, 0xff, 0x0f))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, v []byte) {
		_, _, err := decodeGroup(v)
		if err != nil {
			require.ErrorIs(t, err, wal.ErrCorrupt)
		}
		// The fuzzer cannot guess a checksum, so also use the input as the commits of a group with a valid one.
		if len(v) > 1<<16 {
			return
		}
		sealed, _ := Group{First: 3, Commits: 1, Durable: 1}.Seal(append(make([]byte, GroupHeader), v...))
		g, effects, err := decodeGroup(sealed)
		if err != nil {
			require.ErrorIs(t, err, wal.ErrCorrupt)
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

// FuzzSetRecord decodes any bytes as a set record, as they are and with a valid checksum. A record must encode to the same bytes
// again, and its page table must have as many places as the record has pages. The other records must return errors, not panic.
func FuzzSetRecord(f *testing.F) {
	r := exampleRecord("daily")
	f.Add("daily", EncodeSetRecord(&r))
	f.Add("daily", encodeRecord1(r, Place{Snapshot: 4, ID: 5}, 7))
	f.Add("", []byte{})
	f.Fuzz(func(t *testing.T, name string, v []byte) {
		for _, value := range [][]byte{v, WithSum(KeySet(name), bytes.Clone(v))} {
			r, err := DecodeSetRecord(KeySet(name), value)
			if err != nil {
				require.ErrorIs(t, err, wal.ErrCorrupt)
				continue
			}
			if !r.old {
				require.Equal(t, value, EncodeSetRecord(&r))
			}
			n := 0
			for at := PlacesOf(&r); ; n++ {
				if _, ok := at.Next(); !ok {
					break
				}
				if n > 1<<20 {
					return
				}
			}
			require.Equal(t, r.Pages, n)
		}
		_, err := DecodePointer(v)
		require.True(t, err == nil || isCorrupt(err))
		if p, err := DecodePointer(WithSum(KeyCurrent, bytes.Clone(v))); err == nil {
			require.Equal(t, v[4:], p.Encode()[4:pointerSize], "all but the layout")
		}
		_, _, _ = DecodeFormat(v)
		_, _, _ = OpenPage([]byte(name), v)
	})
}

// exampleRecord is a set's record with pages of several snapshots.
func exampleRecord(name string) SetRecord {
	var w TableWriter
	for i, at := range []Place{{Snapshot: 4, ID: 5, CRC: 11, Known: true}, {Snapshot: 4, ID: 5, CRC: 12, Known: true}, {Snapshot: 300, ID: 1, CRC: 13, Known: true}, {Snapshot: 4, ID: 5, CRC: 14, Known: true}} {
		at.CRC += uint32(i) << 24
		w.Add(at)
	}
	return SetRecord{Key: name, Meta: []byte("meta"), Base: 3, Pages: 4, Entries: 100, table: w.Bytes()}
}

// encodeRecord1 writes a record as layout 1 did, in which one snapshot has written all pages.
func encodeRecord1(r SetRecord, at Place, sum uint32) []byte {
	v := formattest.Record1{Snapshot: at.Snapshot, ID: at.ID, Base: r.Base, Pages: r.Pages, Entries: r.Entries, Sum: sum, Meta: r.Meta}
	return WithSum(KeySet(r.Key), v.Encode())
}

func isCorrupt(err error) bool { return errors.Is(err, wal.ErrCorrupt) }

// TestRecordFlips flips each bit of each kind of record, and cuts or adds a byte. Decoding must fail each time.
func TestRecordFlips(t *testing.T) {
	set := exampleRecord("s")
	key := KeyPage(1, 2, 3)
	page := make([]byte, 4+5)
	SealPage(page, key, []byte("hello"))
	for name, c := range map[string]struct {
		value  []byte
		decode func(v []byte) error
	}{
		"group":   {groupOf(exampleGroup, exampleBatch()), func(v []byte) error { _, _, err := decodeGroup(v); return err }},
		"old set": {encodeRecord1(set, Place{Snapshot: 4, ID: 5}, 7), func(v []byte) error { _, err := DecodeSetRecord(KeySet("s"), v); return err }},
		"set":     {EncodeSetRecord(&set), func(v []byte) error { _, err := DecodeSetRecord(KeySet("s"), v); return err }},
		"pointer": {Pointer{Snapshot: 1, Upto: 2, Start: 3, Chain: 4, Millis: 5}.Encode(), func(v []byte) error { _, err := DecodePointer(v); return err }},
		"format":  {EncodeFormat(StoreID{7}), func(v []byte) error { _, _, err := DecodeFormat(v); return err }},
		"publish": {EncodePublishing(7), func(v []byte) error { _, err := DecodePublishing(v); return err }},
		"page":    {page, func(v []byte) error { _, _, err := OpenPage(key, v); return err }},
	} {
		require.NoError(t, formattest.Flips(c.value, c.decode), name)
	}
	_, _, err := OpenPage(KeyPage(1, 2, 4), page)
	require.ErrorIs(t, err, wal.ErrCorrupt, "a page in place of another")
	_, err = DecodeSetRecord(KeySet("t"), EncodeSetRecord(&set))
	require.ErrorIs(t, err, wal.ErrCorrupt, "a record under another name")
}

// TestSetRecordAllocations checks that decoding a set record makes two allocations: the name, and table and metadata together.
func TestSetRecordAllocations(t *testing.T) {
	if invariants.Enabled {
		t.Skip("the checks in this build are not the code to measure")
	}
	r := exampleRecord("a name of more than a few bytes")
	key, value := KeySet(r.Key), EncodeSetRecord(&r)
	var got SetRecord
	require.Equal(t, 2.0, testing.AllocsPerRun(100, func() { got, _ = DecodeSetRecord(key, value) }))
	require.Equal(t, r, got)
}

// FuzzPointer decodes any bytes as m/current. A record that decodes must survive encoding and decoding.
func FuzzPointer(f *testing.F) {
	f.Add(Pointer{Snapshot: 1, Upto: 2, Start: 3, Chain: 4, Millis: 5}.Encode())
	f.Fuzz(func(t *testing.T, v []byte) {
		p, err := DecodePointer(v)
		if err != nil {
			require.ErrorIs(t, err, wal.ErrCorrupt)
			return
		}
		again, err := DecodePointer(p.Encode())
		require.NoError(t, err)
		require.Equal(t, p, again)
	})
}

// FuzzRecords decodes any bytes as m/format, as m/publishing and as a page. Bytes that decode must encode to the same bytes again. Other bytes must
// give ErrCorrupt, or ErrNewerFormat for m/format.
func FuzzRecords(f *testing.F) {
	key := KeyPage(1, 2, 3)
	sealed := make([]byte, 4+9)
	SealPage(sealed, key, []byte("some page"))
	f.Add(EncodeFormat(StoreID{1, 2, 3}))
	f.Add(EncodePublishing(1 << 40))
	f.Add(sealed)
	f.Add(make([]byte, 8))
	f.Fuzz(func(t *testing.T, v []byte) {
		if id, layout, err := DecodeFormat(v); err == nil {
			require.LessOrEqual(t, layout, uint32(LayoutVersion))
			if layout == LayoutVersion {
				require.Equal(t, v, EncodeFormat(id))
			}
		} else {
			require.True(t, isCorrupt(err) || errors.Is(err, errs.ErrNewerFormat), err)
		}
		if number, err := DecodePublishing(v); err == nil {
			require.Equal(t, v, EncodePublishing(number))
		} else {
			require.ErrorIs(t, err, wal.ErrCorrupt)
		}
		page, crc, err := OpenPage(key, v)
		if err != nil {
			require.ErrorIs(t, err, wal.ErrCorrupt)
			return
		}
		again := make([]byte, 4+len(page))
		require.Equal(t, crc, SealPage(again, key, page))
		require.Equal(t, v, again)
	})
}
