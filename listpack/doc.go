// Package listpack keeps a few (key, tie, member) entries in order in one byte slice: the small encoding of a sorted set.
// It has no pointers inside, no node per entry and no index; everything is found by walking. That beats cleverer structures
// as long as the whole list fits in a few cache lines, so sets move to a skiplist when they grow past about 128 entries.
//
// An entry has three parts. The key is a uint64 that orders as the score does; the caller maps the score. The tie is a
// byte string of 0, 8, 16, 24 or 32 bytes, the same width for every entry of a list. The member is any bytes, and no two
// entries have the same one. Entries stand by key, ascending, and equal keys by tie and then member, compared as bytes.
//
//	l := listpack.New(0)
//	l.Insert(1200, nil, []byte("ada"))
//	l.Insert(900, nil, []byte("bob"))
//	for p := l.Begin(); p != l.End(); p = l.Next(p) {
//		e := l.Entry(p)
//		fmt.Println(e.Key, string(e.Member)) // 900 bob, then 1200 ada
//	}
//
// A List is not safe for use by several goroutines while one of them changes it; any number may read it together.
//
// # Format
//
// The list is stored on disk as it stands in memory. It starts with a header of 4 bytes:
//
//	 0           1           2           4
//	+-----------+-----------+-----------+--------------------
//	| version   | tie width | count     | entries, in order
//	| 1 byte    | 1 byte    | 2 bytes   |
//	+-----------+-----------+-----------+--------------------
//
// The version is 1. The tie width is 0, 8, 16, 24 or 32. The count is the number of entries, little endian. An entry is:
//
//	+-----------+-----------+-----------+-----------+-----------+
//	| key       | length    | tie       | member    | back      |
//	| 8 bytes   | 1-5 bytes | tie width | length    | 1-5 bytes |
//	+-----------+-----------+-----------+-----------+-----------+
//	|<--------------------- body ------------------>|
//
// The key is big endian. The length is the member's, as a uvarint: 7 bits a byte, lowest first, the top bit set on every
// byte but the last. The back length is the number of bytes in the body. It is a uvarint with its bytes in reverse order, so
// that a walk towards the front reads it from right to left and finds where the entry begins. Both lengths take the fewest
// bytes they can, so equal lists have equal bytes. Tie and member stand together because they are compared together.
//
// # Examples
//
// A test reads the lines below and runs each of them. The two kinds of length:
//
//	length 5         => 05
//	length 127       => 7f
//	length 128       => 80 01
//	length 300       => ac 02
//	length 65536     => 80 80 04
//	back 29          => 1d
//	back 127         => 7f
//	back 128         => 01 80
//	back 300         => 02 ac
//	back 65536       => 04 80 80
//
// Whole lists; "61*128" is the byte 61 written 128 times:
//
//	list tie=0                      => 01 00 00 00
//	list tie=8                      => 01 08 00 00
//	list tie=0 (5 "")               => 01 00 01 00 00 00 00 00 00 00 00 05 00 09
//	list tie=0 (5 "hi")             => 01 00 01 00 00 00 00 00 00 00 00 05 02 68 69 0b
//	list tie=0 (2 "b") (1 "a")      => 01 00 02 00 00 00 00 00 00 00 00 01 01 61 0a 00 00 00 00 00 00 00 02 01 62 0a
//	list tie=8 (1 "........" "a")   => 01 08 01 00 00 00 00 00 00 00 00 01 01 2e*8 61 12
//	list tie=0 (256 "a"*117)        => 01 00 01 00 00 00 00 00 00 00 01 00 75 61*117 7e
//	list tie=0 (256 "a"*119)        => 01 00 01 00 00 00 00 00 00 00 01 00 77 61*119 01 80
//	list tie=0 (256 "a"*128)        => 01 00 01 00 00 00 00 00 00 00 01 00 80 01 61*128 01 8a
//
// # Size
//
// An entry of a 20-byte member without a tie takes 8 + 1 + 20 + 1 = 30 bytes; 128 of them and the header take 3844 bytes,
// 30.0 an entry. [List.Size] says what the list holds in memory: Go hands out blocks of fixed sizes, and the smallest block
// for 3844 bytes has 4096, 32.0 an entry. The list never asks for more than the block it needs below 32 KiB.
//
// # Left out
//
// Integers are not packed as numbers: members of boards are names and ids, and one kind of member keeps the walk short. Keys
// are not packed against their neighbours: 8 plain bytes are compared with one instruction, and [List.Replace] can then
// change a key in place. There is no index and no hint of the last place found: readers share a list without writing to it.
package listpack
