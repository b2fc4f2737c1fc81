package format

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/zrankdb/zrank/persist/internal/errs"
)

// The bytes of a group; doc.go draws them.
const (
	GroupMagic   = 0xA7_5A_52_47 // 0xA7 "ZRG"
	groupVersion = 1
	GroupHeader  = 46
	GroupTrailer = 4

	offVersion = 4
	offFlags   = 5
	OffLength  = 6
	OffFirst   = 10
	offCommits = 18
	offDurable = 22
	offMillis  = 30
	offStore   = 38
	offPrev    = 42
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum returns the CRC-32C of b.
func Checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// AddChecksum returns the checksum of the bytes that sum covers, followed by b.
func AddChecksum(sum uint32, b []byte) uint32 { return crc32.Update(sum, castagnoli, b) }

// Group is the header of a group: commits [first, first+commits) of one store.
type Group struct {
	First   uint64
	Commits uint32
	Durable uint64 // the last commit known to be flushed when the group was encoded; below first (P5)
	Millis  uint64 // wall clock, for people
	Store   uint32 // hash of the store's id
	Prev    uint32 // crc of the group before
}

// Last is the group's last sequence number.
func (g Group) Last() uint64 { return g.First + uint64(g.Commits) - 1 }

// Seal completes a group: buf holds GroupHeader unused bytes and the commits. Seal fills in the header, appends the checksum, and
// returns the value and the checksum.
func (g Group) Seal(buf []byte) ([]byte, uint32) {
	be := binary.BigEndian
	be.PutUint32(buf, GroupMagic)
	buf[offVersion] = groupVersion
	buf[offFlags] = 0
	be.PutUint32(buf[OffLength:], uint32(len(buf)+GroupTrailer))
	be.PutUint64(buf[OffFirst:], g.First)
	be.PutUint32(buf[offCommits:], g.Commits)
	be.PutUint64(buf[offDurable:], g.Durable)
	be.PutUint64(buf[offMillis:], g.Millis)
	be.PutUint32(buf[offStore:], g.Store)
	be.PutUint32(buf[offPrev:], g.Prev)
	crc := Checksum(buf)
	return be.AppendUint32(buf, crc), crc
}

// OpenGroup checks everything about a stored group except its commits, and returns the header. O(len).
func OpenGroup(v []byte) (g Group, crc uint32, err error) {
	be := binary.BigEndian
	if len(v) < GroupHeader+GroupTrailer {
		return g, 0, errs.Corruptf(0, "group of %d bytes, the least is %d", len(v), GroupHeader+GroupTrailer)
	}
	if m := be.Uint32(v); m != GroupMagic {
		return g, 0, errs.Corruptf(0, "group magic is %08x", m)
	}
	if v[offVersion] != groupVersion {
		return g, 0, errs.Corruptf(offVersion, "group version is %d, known is %d", v[offVersion], groupVersion)
	}
	if v[offFlags] != 0 {
		return g, 0, errs.Corruptf(offFlags, "group flags are %#x, none is known", v[offFlags])
	}
	if n := be.Uint32(v[OffLength:]); uint64(n) != uint64(len(v)) {
		return g, 0, errs.Corruptf(OffLength, "group length is %d, the value has %d bytes", n, len(v))
	}
	body := v[:len(v)-GroupTrailer]
	crc = be.Uint32(v[len(body):])
	if sum := Checksum(body); sum != crc {
		return g, 0, errs.Corruptf(len(body), "group checksum is %08x, its bytes give %08x", crc, sum)
	}
	g = Group{
		First:   be.Uint64(v[OffFirst:]),
		Commits: be.Uint32(v[offCommits:]),
		Durable: be.Uint64(v[offDurable:]),
		Millis:  be.Uint64(v[offMillis:]),
		Store:   be.Uint32(v[offStore:]),
		Prev:    be.Uint32(v[offPrev:]),
	}
	return g, crc, g.plausible(len(body) - GroupHeader)
}

// plausible checks the header's numbers against each other and against the size of the commits. The smallest commit takes one byte: it
// writes private keys only.
func (g Group) plausible(size int) error {
	if g.First == 0 || g.First+uint64(g.Commits) < g.First {
		return errs.Corruptf(OffFirst, "group starts at %d with %d commits", g.First, g.Commits)
	}
	if g.Commits == 0 || uint64(g.Commits) > uint64(size) {
		return errs.Corruptf(offCommits, "group has %d commits in %d bytes", g.Commits, size)
	}
	if g.Durable >= g.First {
		return errs.Corruptf(offDurable, "group starts at %d and says that %d was durable before", g.First, g.Durable)
	}
	return nil
}

// EachCommit calls fn with the number and the body of each commit of a group that OpenGroup has accepted. fn must read the body to its
// end. The body's offsets count from the start of the value.
func (g Group) EachCommit(v []byte, fn func(seq uint64, body *Reader) error) error {
	r := Reader{Buf: v[:len(v)-GroupTrailer], Off: GroupHeader}
	var commit Reader // one allocation for all of them
	for i := range uint64(g.Commits) {
		at := r.Off
		body, err := r.Bytes()
		if err != nil {
			return err
		}
		commit = Reader{Buf: r.Buf[:r.Off], Off: r.Off - len(body)}
		if err := fn(g.First+i, &commit); err != nil {
			return err
		}
		if !commit.Done() {
			return errs.Corruptf(at, "commit %d was not read to its end", g.First+i)
		}
	}
	if !r.Done() {
		return errs.Corruptf(r.Off, "%d bytes after the last commit", len(r.Buf)-r.Off)
	}
	return nil
}

// Chain follows the groups of a log from one to the next (P3, P4).
type Chain struct {
	Store uint32
	Next  uint64 // the first sequence number of the next group
	Prev  uint32 // the checksum of the last group
}

// Step checks that g is the group that follows, and moves on.
func (c *Chain) Step(g Group, crc uint32) error {
	if g.Store != c.Store {
		return errs.Corruptf(offStore, "group belongs to another store: %08x, this is %08x", g.Store, c.Store)
	}
	if g.First != c.Next {
		return errs.Corruptf(OffFirst, "group starts at %d, expected %d", g.First, c.Next)
	}
	if g.Prev != c.Prev {
		return errs.Corruptf(offPrev, "group follows one with checksum %08x, the one before has %08x", g.Prev, c.Prev)
	}
	c.Next, c.Prev = g.Last()+1, crc
	return nil
}
