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

// Pebble ends the replay of its newest write-ahead log at the first piece that is not whole: it cannot tell a write that
// the power cut from one that was damaged later. Groups can, a little: each says which commit was flushed before it. So the
// preflight looks for groups in the raw bytes of the log, behind the damage too, and compares with what Pebble recovered.
//
// Pebble's log comes in blocks; a record that does not fit is cut at the end of a block, and goes on in the next one
// behind a header.
//
//	+---------+------------+---------+----------------+--------------------+-----+
//	| crc u32 | length u16 | type u8 | log number u32 | flushed offset u64 | ... |
//	+---------+------------+---------+----------------+--------------------+-----+
//
// Numbers are little endian. Types 5 to 8 (a whole record; its first, a middle, its last piece) have no flushed offset: the
// first log of a database has them, which Pebble makes before it knows the format. Types 9 to 12 are the same with one.
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

// walHeaderAt returns the size of the header that h starts with; 0: it is none.
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

// evidence is what the raw bytes of the logs say.
type evidence struct {
	promised uint64 // the greatest commit that an intact group says was flushed
	by       uint64 // the first commit of that group
	torn     int    // bytes at the end that belong to no record, or to a group after the last one recovered
}

// scanLogs reads Pebble's logs. last is the last commit recovered.
func scanLogs(fs vfs.FS, db string, store uint32, last uint64) (e evidence, err error) {
	names, err := fs.List(db)
	if err != nil {
		return e, fmt.Errorf("persist: open: %w", err)
	}
	slices.Sort(names)
	var newest []byte
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
		at := e.scan(v, store, last)
		if n >= number {
			newest, number, end = v, n, at
		}
	}
	e.torn = tornBytes(newest, number, end)
	return e, nil
}

// walNumber takes the number out of a log's name.
func walNumber(name string) (uint64, bool) {
	return storedir.Number(strings.CutSuffix(name, WalSuffix))
}

// scan notes the groups of one log, and returns the end offset of the last one that Pebble did not recover, or 0. O(len).
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

// groupAt copies the value that may be a group out of the blocks, and returns where it ends; 0: there is none.
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

// stitch appends n bytes of v, or what there is, leaving out the headers between blocks. It returns where it has stopped.
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

// tornBytes returns how much of the newest log is the rest of a write that was cut off: what follows the last record that
// is whole, and has the log's number or is one of the groups that end at groups.
func tornBytes(v []byte, number uint64, groups int) int {
	good := recordsEnd(v, uint32(number))
	rest := v[good:]
	torn := max(0, groups-good)
	h := walHeaderAt(rest)
	switch {
	case h == 0 && len(rest) < walSyncHeader:
		torn = max(torn, len(bytes.TrimRight(rest, "\x00")))
	case h > 0 && binary.LittleEndian.Uint32(rest[7:]) == uint32(number):
		torn = max(torn, min(len(rest), h+int(binary.LittleEndian.Uint16(rest[4:]))))
	}
	return torn
}

// recordsEnd returns where the last of the records ends that are whole, from the start of a log.
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

// walChecksum is what Pebble makes of a CRC-32C.
func walChecksum(b []byte) uint32 { return bits.RotateLeft32(format.Checksum(b), -15) + 0xa282ead8 }
