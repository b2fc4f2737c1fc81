package format

import (
	"encoding/binary"
	"fmt"

	"github.com/zrankdb/zrank/persist/wal"
)

// The keys in Pebble. Numbers are big endian, so that keys order as numbers do.
var (
	KeyFormat     = []byte("m/format")
	KeyCurrent    = []byte("m/current")
	KeyBatch      = []byte("m/batch")
	KeyPublishing = []byte("m/publishing")
)

// The keys of one kind start with one of these.
const (
	PrefixLog     = "l/"
	PrefixPages   = "p/"
	PrefixSets    = "s/"
	PrefixPrivate = "u/"
)

// KeyLog is l/<first sequence number>.
func KeyLog(first uint64) []byte { return binary.BigEndian.AppendUint64([]byte(PrefixLog), first) }

// FirstOf returns the sequence number in a KeyLog.
func FirstOf(key []byte) (uint64, error) {
	if len(key) != len(PrefixLog)+8 {
		return 0, &wal.CorruptError{Key: fmt.Sprintf("%q", key), Reason: "not the key of a group"}
	}
	return binary.BigEndian.Uint64(key[len(PrefixLog):]), nil
}

// KeySet is s/<name>.
func KeySet(name string) []byte { return append([]byte(PrefixSets), name...) }

// SetOf returns the name in a KeySet.
func SetOf(key []byte) string { return string(key[len(PrefixSets):]) }

// KeyPrivate is u/<key>.
func KeyPrivate(key []byte) []byte { return append([]byte(PrefixPrivate), key...) }

// KeySnapshotPages is p/<snapshot>: the prefix of all pages that a snapshot wrote.
func KeySnapshotPages(snapshot uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte(PrefixPages), snapshot)
}

// keyPages is p/<snapshot><set id>: the prefix of one set's pages.
func keyPages(snapshot, id uint64) []byte {
	return binary.BigEndian.AppendUint64(KeySnapshotPages(snapshot), id)
}

// KeyPage is p/<snapshot><set id><page>.
func KeyPage(snapshot, id uint64, page uint32) []byte {
	return binary.BigEndian.AppendUint32(keyPages(snapshot, id), page)
}

// KeyAfter returns the least key above all keys that start with prefix. Our prefixes start with a letter, so there is one.
func KeyAfter(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; ; i-- {
		if end[i] != 0xff {
			end[i]++
			return end[:i+1]
		}
	}
}

// NameLog names a group. Like the functions below it returns a name for errors, which is made only when an error needs it.
func NameLog(first uint64) func() string {
	return func() string { return fmt.Sprintf("l/%d", first) }
}

// NameSet names the record of a set.
func NameSet(set string) func() string {
	return func() string { return fmt.Sprintf("s/%q", set) }
}

// NamePage names a page; pages count from 0.
func NamePage(snapshot, id uint64, page int) func() string {
	return func() string { return fmt.Sprintf("p/%d/%d/%d", snapshot, id, page) }
}

// NamePrivate names a private key.
func NamePrivate(key []byte) func() string {
	return func() string { return fmt.Sprintf("u/%q", key) }
}

// NameOf names a key that people can read.
func NameOf(key []byte) func() string { return func() string { return string(key) } }
