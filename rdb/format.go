package rdb

import "fmt"

// Kind is what a key holds.
type Kind byte

// The kinds of values that Redis has.
const (
	String Kind = iota + 1
	List
	Set
	SortedSet
	Hash
	Stream
	Module
)

var kindNames = [...]string{String: "string", List: "list", Set: "set", SortedSet: "zset", Hash: "hash", Stream: "stream", Module: "module"}

// String returns the name of a kind as the command TYPE answers it; of modules it is "module".
func (k Kind) String() string {
	if k == 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kind %d", byte(k))
	}
	return kindNames[k]
}

// Encoding is the byte of a file that says how a value is written.
type Encoding byte

// The encodings of all versions up to 12. 8 was never used.
const (
	StringText          Encoding = 0
	ListStrings         Encoding = 1
	SetStrings          Encoding = 2
	SortedSetText       Encoding = 3 // scores are decimal text
	HashStrings         Encoding = 4
	SortedSetBinary     Encoding = 5 // scores are 8 bytes
	ModuleFirst         Encoding = 6 // has no length: it cannot be skipped
	ModuleSecond        Encoding = 7
	HashZipmap          Encoding = 9
	ListZiplist         Encoding = 10
	SetIntset           Encoding = 11
	SortedSetZiplist    Encoding = 12
	HashZiplist         Encoding = 13
	ListQuicklist       Encoding = 14
	StreamListpacks     Encoding = 15
	HashListpack        Encoding = 16
	SortedSetListpack   Encoding = 17
	ListQuicklist2      Encoding = 18
	StreamListpacks2    Encoding = 19
	SetListpack         Encoding = 20
	StreamListpacks3    Encoding = 21
	HashExpiringEarly   Encoding = 22 // fields may expire; of previews of Redis 7.4
	HashListpackExEarly Encoding = 23
	HashExpiring        Encoding = 24 // fields may expire
	HashListpackEx      Encoding = 25
)

// firstRedisOnly is the first encoding that Valkey gave another meaning than Redis.
const firstRedisOnly = HashExpiringEarly

// kinds are the kinds that encodings are of; 0: there is no such encoding.
var kinds = [...]Kind{StringText: String, ListStrings: List, SetStrings: Set, SortedSetText: SortedSet, HashStrings: Hash,
	SortedSetBinary: SortedSet, ModuleFirst: Module, ModuleSecond: Module, HashZipmap: Hash, ListZiplist: List, SetIntset: Set,
	SortedSetZiplist: SortedSet, HashZiplist: Hash, ListQuicklist: List, StreamListpacks: Stream, HashListpack: Hash,
	SortedSetListpack: SortedSet, ListQuicklist2: List, StreamListpacks2: Stream, SetListpack: Set, StreamListpacks3: Stream,
	HashExpiringEarly: Hash, HashListpackExEarly: Hash, HashExpiring: Hash, HashListpackEx: Hash}

// kind returns the kind of an encoding, or 0.
func (e Encoding) kind() Kind {
	if int(e) >= len(kinds) {
		return 0
	}
	return kinds[e]
}

// The bytes that stand where an encoding could stand.
const (
	opSlotInfo     = 0xf4 // 3 lengths: slot, keys, keys that expire
	opFunction     = 0xf5 // a string: the source of a library
	opFunctionPre  = 0xf6 // the same in a preview of Redis 7.0
	opModuleAux    = 0xf7
	opIdle         = 0xf8 // a length: seconds without use
	opFreq         = 0xf9 // a byte: logarithmic counter of uses
	opAux          = 0xfa // two strings
	opResizeDB     = 0xfb // two lengths: keys, keys that expire
	opExpireMillis = 0xfc // 8 bytes
	opExpire       = 0xfd // 4 bytes, seconds
	opSelectDB     = 0xfe // a length
	opEnd          = 0xff // 8 bytes of checksum follow
)

// The first two bits of a length, and what the rest of the byte means if both are 1 or only the first is.
const (
	len6       = 0
	len14      = 1
	len32or64  = 2
	lenSpecial = 3

	len32 = 0x80
	len64 = 0x81

	specialInt8  = 0
	specialInt16 = 1
	specialInt32 = 2
	specialLZF   = 3
)

// The values inside a module's value.
const (
	moduleEnd    = 0
	moduleSigned = 1
	moduleLength = 2
	moduleFloat  = 3
	moduleDouble = 4
	moduleString = 5
)

// Versions of files.
const (
	// MaxVersion is the last version that a Reader knows, that of Redis 7.4 and 8.0.
	MaxVersion = 12
	// WrittenVersion is the version that a Writer writes, that of Redis 7.0. Redis and Valkey since then read it.
	WrittenVersion = 10

	firstChecked = 5 // the first version with a checksum
)

// A file begins with one of these and four or, of Valkey, three digits.
const (
	magic       = "REDIS"
	magicValkey = "VALKEY"
	headerSize  = 9
)
