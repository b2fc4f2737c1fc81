package persist

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/zrankdb/zrank/internal/seeded"
)

// The bytes of a group; doc.go draws them.
const (
	groupMagic   = 0xA7_5A_52_47 // 0xA7 "ZRG"
	groupVersion = 1
	groupHeader  = 46
	groupTrailer = 4

	offVersion = 4
	offFlags   = 5
	offLength  = 6
	offFirst   = 10
	offCommits = 18
	offDurable = 22
	offMillis  = 30
	offStore   = 38
	offPrev    = 42
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// addChecksum returns the checksum of more bytes, behind those that sum is of.
func addChecksum(sum uint32, b []byte) uint32 { return crc32.Update(sum, castagnoli, b) }

// group is the header of a group: commits [first, first+commits) of one store.
type group struct {
	first   uint64
	commits uint32
	durable uint64 // the last commit known to be flushed when the group was encoded; below first (P5)
	millis  uint64 // wall clock, for people
	store   uint32 // hash of the store's id
	prev    uint32 // crc of the group before
}

// last is the group's last sequence number.
func (g group) last() uint64 { return g.first + uint64(g.commits) - 1 }

// seal fills the header that buf has left room for, appends the checksum and returns the whole value and the checksum.
func (g group) seal(buf []byte) ([]byte, uint32) {
	be := binary.BigEndian
	be.PutUint32(buf, groupMagic)
	buf[offVersion] = groupVersion
	buf[offFlags] = 0
	be.PutUint32(buf[offLength:], uint32(len(buf)+groupTrailer))
	be.PutUint64(buf[offFirst:], g.first)
	be.PutUint32(buf[offCommits:], g.commits)
	be.PutUint64(buf[offDurable:], g.durable)
	be.PutUint64(buf[offMillis:], g.millis)
	be.PutUint32(buf[offStore:], g.store)
	be.PutUint32(buf[offPrev:], g.prev)
	crc := checksum(buf)
	return be.AppendUint32(buf, crc), crc
}

// openGroup checks everything about a stored group except its commits, and returns the header. O(len).
func openGroup(v []byte) (g group, crc uint32, err error) {
	be := binary.BigEndian
	if len(v) < groupHeader+groupTrailer {
		return g, 0, corrupt(0, "group of %d bytes, the least is %d", len(v), groupHeader+groupTrailer)
	}
	if m := be.Uint32(v); m != groupMagic {
		return g, 0, corrupt(0, "group magic is %08x", m)
	}
	if v[offVersion] != groupVersion {
		return g, 0, corrupt(offVersion, "group version is %d, known is %d", v[offVersion], groupVersion)
	}
	if v[offFlags] != 0 {
		return g, 0, corrupt(offFlags, "group flags are %#x, none is known", v[offFlags])
	}
	if n := be.Uint32(v[offLength:]); uint64(n) != uint64(len(v)) {
		return g, 0, corrupt(offLength, "group length is %d, the value has %d bytes", n, len(v))
	}
	body := v[:len(v)-groupTrailer]
	crc = be.Uint32(v[len(body):])
	if sum := checksum(body); sum != crc && !seeded.Bug("a group's checksum is not compared") {
		return g, 0, corrupt(len(body), "group checksum is %08x, its bytes give %08x", crc, sum)
	}
	g = group{
		first:   be.Uint64(v[offFirst:]),
		commits: be.Uint32(v[offCommits:]),
		durable: be.Uint64(v[offDurable:]),
		millis:  be.Uint64(v[offMillis:]),
		store:   be.Uint32(v[offStore:]),
		prev:    be.Uint32(v[offPrev:]),
	}
	return g, crc, g.plausible(len(body) - groupHeader)
}

// plausible checks the header's numbers against each other and against the size of the commits, of which the smallest,
// one that writes private keys only, takes one byte.
func (g group) plausible(size int) error {
	if g.first == 0 || g.first+uint64(g.commits) < g.first {
		return corrupt(offFirst, "group starts at %d with %d commits", g.first, g.commits)
	}
	if g.commits == 0 || uint64(g.commits) > uint64(size) {
		return corrupt(offCommits, "group has %d commits in %d bytes", g.commits, size)
	}
	if g.durable >= g.first {
		return corrupt(offDurable, "group starts at %d and says that %d was durable before", g.first, g.durable)
	}
	return nil
}

// eachCommit calls fn with the number and the body of each commit of a group that openGroup has accepted. The body's
// offsets count from the start of the value.
func (g group) eachCommit(v []byte, fn func(seq uint64, body *reader) error) error {
	r := reader{buf: v[:len(v)-groupTrailer], off: groupHeader}
	for i := range uint64(g.commits) {
		at := r.off
		body, err := r.bytes()
		if err != nil {
			return err
		}
		commit := reader{buf: r.buf[:r.off], off: r.off - len(body)}
		if err := fn(g.first+i, &commit); err != nil {
			return err
		}
		if !commit.done() {
			return corrupt(at, "commit %d was not read to its end", g.first+i)
		}
	}
	if !r.done() {
		return corrupt(r.off, "%d bytes after the last commit", len(r.buf)-r.off)
	}
	return nil
}

// chain follows the groups of a log from one to the next (P3, P4).
type chain struct {
	store uint32
	next  uint64 // the first sequence number of the next group
	prev  uint32 // the checksum of the last group
}

// step checks that g is the group that follows, and moves on.
func (c *chain) step(g group, crc uint32) error {
	if seeded.Bug("gaps in the log are tolerated") {
		c.next, c.prev = g.last()+1, crc
		return nil
	}
	if g.store != c.store {
		return corrupt(offStore, "group belongs to another store: %08x, this is %08x", g.store, c.store)
	}
	if g.first != c.next {
		return corrupt(offFirst, "group starts at %d, expected %d", g.first, c.next)
	}
	if g.prev != c.prev && !seeded.Bug("skip the crc chain") {
		return corrupt(offPrev, "group follows one with checksum %08x, the one before has %08x", g.prev, c.prev)
	}
	c.next, c.prev = g.last()+1, crc
	return nil
}
