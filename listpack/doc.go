// Package listpack keeps a few (key, tie, member) entries in order in one or two byte slices: the small encoding of a sorted set.
// It has no pointers inside, no node per entry and no index. Keys are adjacent and are found by bisection; members are found by a linear
// search. That is faster than other structures as long as the whole list fits in some dozens of cache lines, so a set becomes a
// skiplist when it grows past about 128 entries.
//
// An entry has three parts. The key is a uint64 that orders as the score does; the caller maps the score. The tie is a
// byte string of 0, 8, 16, 24, 32 or 40 bytes, the same width for every entry of a list. The member is any bytes, and no two entries
// have the same member. Entries are in ascending order of key; equal keys are ordered by tie and then member, compared as bytes.
//
//	l := listpack.New(0)
//	l.Insert(1200, nil, []byte("ada"))
//	l.Insert(900, nil, []byte("bob"))
//	for p := l.Begin(); p != l.End(); p = l.Next(p) {
//		key, _, member := l.Entry(p)
//		fmt.Println(key, string(member)) // 900 bob, then 1200 ada
//	}
//
// A List is not safe for use by several goroutines while one of them changes it; any number may read it together.
//
// # Format
//
// The encoding is a header followed by the two columns as they are in memory. So writing a list is two copies, and reading one is a
// check and two copies:
//
//	+-----------+-----------+-----------+----------------+----------------+----------------+
//	| version   | tie width | count     | rows, in order | texts, in      | lengths, in    |
//	| 1 byte    | 1 byte    | 2 bytes   |                | order          | reverse        |
//	+-----------+-----------+-----------+----------------+----------------+----------------+
//	|<------------- header ------------>|<-- order ----->|<------------ texts ----------->|
//
// The version is 2. The tie width is 0, 8, 16, 24, 32 or 40. The count n is the number of
// entries, little endian. A row has the same size for every entry of a list:
//
//	+-----------+-----------+
//	| key       | tie       |
//	| 8 bytes   | tie width |
//	+-----------+-----------+
//
// The key is big endian. A text is the member alone, and its length is one byte: 0 to 254. A member of 255 bytes or more has
// the length byte 255 and, as its text, the member between two lengths of 4 bytes, little endian:
//
//	+-----------+           +-----------+-----------+-----------+
//	| member    |     or    | length    | member    | length    |
//	|           |           | 4 bytes   |           | 4 bytes   |
//	+-----------+           +-----------+-----------+-----------+
//
// So the length of a text can be read from its front and from its end, and a walk takes constant time per step in either direction.
// Texts have no other mark of their beginning: a position in a list is a rank and an offset in the texts ([Pos]).
//
// In memory the lengths are at the end of the slice's capacity, in reverse order. An append writes the text forwards into the free
// bytes, and the length backwards. Every list has only one encoding, so equal lists have equal bytes.
//
// # Examples
//
// A test reads the lines below and runs each of them. A member's length byte and, after it, the text; "61*254" is the byte
// 61 written 254 times:
//
//	text ""          => 00
//	text "hi"        => 02 68 69
//	text "a"*254     => fe 61*254
//	text "a"*255     => ff ff 00 00 00 61*255 ff 00 00 00
//	text "a"*65536   => ff 00 00 01 00 61*65536 00 00 01 00
//
// Whole lists:
//
//	list tie=0                      => 02 00 00 00
//	list tie=8                      => 02 08 00 00
//	list tie=0 (5 "")               => 02 00 01 00 00 00 00 00 00 00 00 05 00
//	list tie=0 (5 "hi")             => 02 00 01 00 00 00 00 00 00 00 00 05 68 69 02
//	list tie=0 (2 "b") (1 "a")      => 02 00 02 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 02 61 62 01 01
//	list tie=0 (1 "a") (2 "bcd")    => 02 00 02 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 02 61 62 63 64 03 01
//	list tie=8 (1 "........" "a")   => 02 08 01 00 00 00 00 00 00 00 00 01 2e*8 61 01
//	list tie=0 (256 "a"*128)        => 02 00 01 00 00 00 00 00 00 00 01 00 61*128 80
//	list tie=0 (256 "a"*255)        => 02 00 01 00 00 00 00 00 00 00 01 00 ff 00 00 00 61*255 ff 00 00 00 ff
//	list tie=0 (1 "a"*255) (2 "b")  => 02 00 02 00 00*7 01 00*7 02 ff 00 00 00 61*255 ff 00 00 00 62 01 ff
//
// # Size
//
// An entry with a 20-byte member and no tie takes 8 bytes of one column and 20 + 1 of the other, 29 in total; the encoding of 128 such
// entries and the header has 3716 bytes. [List.Size] returns the bytes in memory. Go allocates blocks of fixed sizes. 1024 and 2688
// bytes are two of these sizes, so the 128 entries waste nothing: 29.0 bytes per entry. In one block they would take 4096 bytes, 32.0
// per entry. A list of up to 2 KiB has both columns in one block. With half a dozen entries, a second block with its slice header and
// unused bytes would take as much as the entries. 20 entries of 12-byte members are 420 bytes in a block of 448. Below 32 KiB a list
// has the smallest blocks that hold it.
//
// The List itself takes 56 more bytes. A caller with a million lists stores what [List.Blocks] returns instead, 24 bytes for a list in
// one block, and makes a List of it for the time of a call.
//
// # Forms that lost
//
// One slice of entries [key | length | tie | member | back length], walked from the front. Nanoseconds at 16, 128 and 1024
// entries of 20-byte members (go test -bench . -cpu 1, the least of 4 runs; an update is Find and Replace):
//
//	                  16               128              1024
//	               slice columns   slice columns    slice columns
//	Find              29      15     182      55     1430     373
//	Find, none        44      18     324      95     2584     722
//	Seek              53      16     301      27     2611      44
//	At                14       6      94      20      769     135
//	walk             204      97    1628     771    13036    6171
//	walk back        185      97    1477     764    11812    6108
//	Update            97      90     455     178     3156     829
//	Replace           53      65     196     112     1374     447
//	Insert, Delete    74      78     234     146     1567     604
//	Fill, random                   21653   15174
//	Fill, sorted                    8590    8797
//	Decode           391     372    3136    2611    26574   21787
//
// Columns are slower for changes of very short lists, which write to three places instead of one. The slice needs 3844 bytes for 128
// entries. The next smaller block has 3456 bytes, so it takes a block of 4096 bytes, 32.0 per entry.
//
// Other columns. Texts with a length on both sides take 128 x 22 = 2816 bytes and so a block of 3072, 32.0 per entry again. With a
// length on one side only, a list cannot be walked both ways. Length bytes in the rows, [key | tie | length], take blocks of 1152 and
// 2688 bytes, 30.0 per entry.
//
// # Left out
//
// Members that are integers are not stored as numbers: members of boards are names and ids, and a single kind of member keeps the
// search simple. Keys are not stored as differences: 8 plain bytes are compared with one instruction, and [List.Replace] can change a
// key in place. There is no index of members and no cache of the last place found, because readers share a list without writing to it.
//
// # Where things are
//
//	list.go               List
//	blocks.go             a list as blocks of bytes: stored, adopted, cleared
//	walk.go, search.go    places and walking; finding a member
//	change.go, grow.go    changes; memory
//	entry.go              the bytes of one entry
//	decode.go, verify.go  reading untrusted bytes; L1 to L7
//	check.go, errors.go   invariants in checked builds; ErrCorrupt
package listpack
