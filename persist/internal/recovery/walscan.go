package recovery

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// Pebble ends the replay of its newest write-ahead log at the first invalid record: it cannot tell a write that a power cut interrupted
// from a write that was damaged later. Our groups help, because each names a commit that was flushed before it. So Preflight searches
// the raw bytes of the log for groups, also behind the damage, and compares their numbers with what Pebble recovered.
//
// Pebble's log consists of blocks. A record that does not fit into a block continues in the next one. Each piece has a header:
//
//	+---------+------------+---------+----------------+--------------------+-----+
//	| crc u32 | length u16 | type u8 | log number u32 | flushed offset u64 | ... |
//	+---------+------------+---------+----------------+--------------------+-----+
//
// Numbers are little endian. Types 5 to 8 are a whole record, and the first, a middle and the last piece of a record. They have no
// flushed offset. Only the first log of a database has them, as Pebble creates it before it knows the format. Types 9 to 12 are the
// same with a flushed offset.
const (
	walBlock      = 32 << 10
	walFull       = 5
	walLast       = 8
	walSyncFull   = 9
	walSyncLast   = 12
	walHeader     = 11
	walSyncHeader = 19
	WalSuffix     = ".log"
)

// walHeaderAt returns the size of the header at the start of h; 0: there is no header.
func walHeaderAt(h []byte) int {
	n := 0
	if len(h) > 6 && h[6] >= walFull && h[6] <= walSyncLast {
		if n = walHeader; h[6] >= walSyncFull {
			n = walSyncHeader
		}
	}
	if n > len(h) {
		return 0
	}
	return n
}

var groupStart = []byte{format.GroupMagic >> 24, format.GroupMagic >> 16 & 0xff, format.GroupMagic >> 8 & 0xff, format.GroupMagic & 0xff}

// evidence is the result of the search in the raw bytes of the logs.
type evidence struct {
	promised uint64 // the greatest durable seq of an intact group
	by       uint64 // the first commit of that group
	torn     int    // bytes at the end that belong to no record, or to a group after the last one recovered
}

// scanLogs searches all of Pebble's logs for groups, and counts the torn bytes of the newest one. last is the last commit recovered.
func scanLogs(fs vfs.FS, db string, store uint32, last uint64) (e evidence, err error) {
	names, err := fs.List(db)
	if err != nil {
		return e, fmt.Errorf("persist: open: %w", err)
	}
	slices.Sort(names)
	var newest []byte // the log with the greatest number
	var number, end = uint64(0), 0
	for _, name := range names {
		n, ok := walNumber(name)
		if !ok {
			continue
		}
		v, err := storedir.ReadWhole(fs, fs.PathJoin(db, name))
		if err != nil {
			return e, err
		}
		groupsEnd := e.scan(v, store, last)
		if n >= number {
			newest, number, end = v, n, groupsEnd
		}
	}
	e.torn = tornBytes(newest, number, end)
	return e, nil
}

// walNumber takes the number out of a log's name.
func walNumber(name string) (uint64, bool) {
	return storedir.Number(strings.CutSuffix(name, WalSuffix))
}

// scan updates promised from the groups of one log. It returns the end offset of the last group that Pebble did not recover, or 0.
// O(len).
func (e *evidence) scan(v []byte, store uint32, last uint64) (end int) {
	var buf []byte
	for at := 0; ; {
		i := bytes.Index(v[at:], groupStart)
		if i < 0 {
			return end
		}
		from := at + i
		at = from + 1
		var next int
		if buf, next = groupAt(v, from, buf); next == 0 {
			continue
		}
		g, _, err := format.OpenGroup(buf)
		if err != nil || g.Store != store {
			continue
		}
		at = next
		if g.Durable > e.promised {
			e.promised, e.by = g.Durable, g.First
		}
		if g.First > last {
			end = next
		}
	}
}

// groupAt copies the possible group at offset from out of the blocks, into the memory of buf. It returns the end offset of the group;
// 0: there is no group.
func groupAt(v []byte, from int, buf []byte) (value []byte, end int) {
	buf, end = stitch(v, from, format.GroupHeader, buf[:0])
	if len(buf) < format.GroupHeader {
		return buf, 0
	}
	length := int64(binary.BigEndian.Uint32(buf[format.OffLength:]))
	if length < format.GroupHeader+format.GroupTrailer || length > int64(len(v)-from) {
		return buf, 0
	}
	buf, end = stitch(v, end, int(length)-format.GroupHeader, buf)
	if int64(len(buf)) < length {
		return buf, 0
	}
	return buf, end
}

// stitch appends n bytes of v from offset at on to dst, or fewer at the end of v. It skips the headers at the start of blocks. It
// returns dst and the offset where it stopped.
func stitch(v []byte, at, n int, dst []byte) ([]byte, int) {
	for n > 0 && at < len(v) {
		if at%walBlock == 0 {
			h := walHeaderAt(v[at:])
			if h == 0 {
				return dst, at
			}
			at += h
		}
		k := min(n, len(v)-at, walBlock-at%walBlock)
		dst = append(dst, v[at:at+k]...)
		at, n = at+k, n-k
	}
	return dst, at
}

// tornBytes returns how many bytes at the end of the newest log belong to an interrupted write. They follow the last complete record.
// They are either a record with the log's number, or unrecovered groups, which end at offset groupsEnd.
func tornBytes(v []byte, number uint64, groupsEnd int) int {
	good := recordsEnd(v, uint32(number))
	rest := v[good:]
	torn := max(0, groupsEnd-good)
	h := walHeaderAt(rest)
	switch {
	case h == 0 && len(rest) < walSyncHeader:
		torn = max(torn, len(bytes.TrimRight(rest, "\x00")))
	case h > 0 && binary.LittleEndian.Uint32(rest[7:]) == uint32(number):
		torn = max(torn, min(len(rest), h+int(binary.LittleEndian.Uint16(rest[4:]))))
	}
	return torn
}

// recordsEnd reads the records of a log from its start, and returns the end offset of the last complete record before the first
// invalid piece.
func recordsEnd(v []byte, number uint32) (end int) {
	le := binary.LittleEndian
	for at := 0; at < len(v); {
		h := walHeaderAt(v[at:])
		if left := walBlock - at%walBlock; h == 0 && left < walSyncHeader {
			at += left // the rest of a block that had no room for a header
			continue
		}
		if h == 0 || le.Uint32(v[at+7:]) != number {
			return end
		}
		n := h + int(le.Uint16(v[at+4:]))
		if n > len(v)-at || le.Uint32(v[at:]) != walChecksum(v[at+6:at+n]) {
			return end
		}
		kind := v[at+6]
		if at += n; kind == walFull || kind == walLast || kind == walSyncFull || kind == walSyncLast {
			end = at
		}
	}
	return end
}

// walChecksum returns the masked CRC-32C that Pebble stores.
func walChecksum(b []byte) uint32 { return bits.RotateLeft32(format.Checksum(b), -15) + 0xa282ead8 }
