// Package rdb reads and writes the files in which Redis keeps its keys, and the values of its commands DUMP and RESTORE.
//
//	f, err := rdb.NewReader(file, rdb.ReadOptions{})
//	for {
//		key, err := f.Next() // io.EOF after the last key
//		if key.Kind == rdb.SortedSet {
//			err = key.SortedSet(func(member []byte, score float64) error { ... })
//		}
//	}
//
// A Reader reads versions 1 to 12, which Redis wrote until 8.0 and Valkey until 8.1: every encoding of sorted sets, plain sets, hashes and strings there ever was. It
// skips lists, streams, modules' values and functions; the key names its kind. A Writer writes version 10, with the bytes of Redis 7.0.
//
// # What it promises
//
//   - R1: a Reader's memory does not grow with the file or with a value. It is a small multiple of the largest string, member or listpack
//     that has been read, at most ReadOptions.MaxString. A length that a file claims allocates nothing: bytes do, when they have come. A compressed
//     string is what it becomes: that is checked before.
//   - R2: damage is a *CorruptError with its offset and its key, never a panic and never a wrong value, as far as the format tells it. Frames, counts and lengths
//     of listpacks, ziplists, zipmaps and intsets are checked. The checksum is at the end of a file: until Next returns io.EOF, what has been
//     read may yet turn out to be damaged.
//   - R3: it does not notice what only the whole value shows: a member twice, or listpacks whose members are not in order.
//   - R4: what is written is what redis-server 7.0 writes for the same members, byte for byte, also compressed; redis-check-rdb accepts it.
//
// A file of a later version is refused with a *VersionError, because its values may mean something else. ReadOptions.AnyVersion reads it as far as it is like
// those before.
//
// # Why not a library
//
// github.com/HDT3213/rdb, the one that is kept up, reads a whole value into memory, allocates what a file claims, and does not check the checksum.
//
// # Where things are
//
//	reader.go       Reader, Key: a file, key by key
//	value.go        Value: a sorted set, a plain set, a hash, a string, member by member
//	blob.go         values in one string: listpacks of pairs, intsets, zipmaps
//	skip.go         values that are skipped: streams, modules
//	packed.go       listpacks
//	ziplist.go      ziplists
//	zipmap.go       zipmaps
//	text.go         strings: as they are, as numbers, in LZF
//	input.go        the buffer of a file, lengths, the checksum of what is read
//	writer.go       Writer: a file
//	dump.go         OpenDump, Dumper: DUMP and RESTORE
//	encoder.go      how values are written; WriteOptions
//	packwrite.go    how listpacks are written
//	lzf.go          LZF texts read
//	lzfwrite.go     LZF texts written
//	number.go       integers and scores as texts
//	crc64.go        the checksum
//	format.go       encodings, opcodes, versions
//	errors.go       CorruptError, LimitError, VersionError
package rdb
