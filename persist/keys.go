package persist

import (
	"encoding/binary"
	"fmt"
)

// The keys in Pebble. Numbers are big endian, so that keys order as numbers do.
var (
	keyFormat  = []byte("m/format")
	keyCurrent = []byte("m/current")
	keyBatch   = []byte("m/batch")
)

const (
	spaceLog     = "l/"
	spacePages   = "p/"
	spaceSets    = "s/"
	spacePrivate = "u/"
)

// keyLog is l/<first sequence number>.
func keyLog(first uint64) []byte { return binary.BigEndian.AppendUint64([]byte(spaceLog), first) }

// firstOf takes the number out of a keyLog.
func firstOf(key []byte) (uint64, error) {
	if len(key) != len(spaceLog)+8 {
		return 0, &CorruptError{Key: fmt.Sprintf("%q", key), Reason: "not the key of a group"}
	}
	return binary.BigEndian.Uint64(key[len(spaceLog):]), nil
}

// keySet is s/<name>.
func keySet(name string) []byte { return append([]byte(spaceSets), name...) }

// setOf takes the name out of a keySet.
func setOf(key []byte) string { return string(key[len(spaceSets):]) }

// keyPrivate is u/<key>.
func keyPrivate(key []byte) []byte { return append([]byte(spacePrivate), key...) }

// keySnapshotPages is p/<snapshot>: the prefix of all pages that a snapshot wrote.
func keySnapshotPages(snapshot uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte(spacePages), snapshot)
}

// keyPages is p/<snapshot><set id>: the prefix of one set's pages.
func keyPages(snapshot, id uint64) []byte {
	return binary.BigEndian.AppendUint64(keySnapshotPages(snapshot), id)
}

// keyPage is p/<snapshot><set id><page>.
func keyPage(snapshot, id uint64, page uint32) []byte {
	return binary.BigEndian.AppendUint32(keyPages(snapshot, id), page)
}

// keyAfter returns the least key above all keys that start with prefix. Our prefixes start with a letter, so there is one.
func keyAfter(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; ; i-- {
		if end[i] != 0xff {
			end[i]++
			return end[:i+1]
		}
	}
}

// Names of keys, for errors.
func nameLog(first uint64) func() string {
	return func() string { return fmt.Sprintf("l/%d", first) }
}

func nameSet(set string) func() string {
	return func() string { return fmt.Sprintf("s/%q", set) }
}

func namePage(snapshot, id uint64, page int) func() string {
	return func() string { return fmt.Sprintf("p/%d/%d/%d", snapshot, id, page) }
}

func namePrivate(key []byte) func() string {
	return func() string { return fmt.Sprintf("u/%q", key) }
}

func nameOf(key []byte) func() string { return func() string { return string(key) } }
