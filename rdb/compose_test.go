package rdb

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// composer writes what no Redis of today writes any more, by the description of the format.
type composer struct{ bytes.Buffer }

// file begins a file of a version.
func file(version int) *composer {
	c := &composer{}
	fmt.Fprintf(c, "REDIS%04d", version)
	return c
}

func (c *composer) raw(b ...byte) *composer { c.Write(b); return c }

// text appends a string as it is.
func (c *composer) text(s string) *composer {
	e := encoder{}
	e.length(uint64(len(s)))
	c.Write(e.out)
	c.WriteString(s)
	return c
}

func (c *composer) length(n uint64) *composer {
	e := encoder{}
	e.length(n)
	c.Write(e.out)
	return c
}

func (c *composer) u64(n uint64) *composer {
	c.Write(binary.LittleEndian.AppendUint64(nil, n))
	return c
}

// key appends an encoding and a name.
func (c *composer) key(e Encoding, name string) *composer { return c.raw(byte(e)).text(name) }

// end ends the file with its checksum.
func (c *composer) end() []byte {
	c.raw(opEnd)
	return binary.LittleEndian.AppendUint64(bytes.Clone(c.Bytes()), checksum(0, c.Bytes()))
}

// ziplistOf returns a ziplist of items, each of the bytes behind the length of the item before.
func ziplistOf(items ...string) string {
	var body []byte
	last, before := ziplistHeader, 0
	for _, i := range items {
		at := len(body)
		last = ziplistHeader + at
		if before < ziplistLong {
			body = append(body, byte(before))
		} else {
			body = binary.LittleEndian.AppendUint32(append(body, ziplistLong), uint32(before))
		}
		body = append(body, i...)
		before = len(body) - at
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(ziplistHeader+len(body)+1))
	b = binary.LittleEndian.AppendUint32(b, uint32(last))
	b = binary.LittleEndian.AppendUint16(b, uint16(min(len(items), unknownCount)))
	return string(append(append(b, body...), packedEnd))
}

// listpackOf returns a listpack of texts.
func listpackOf(texts ...string) string {
	p := packer{}
	p.begin()
	for _, s := range texts {
		p.text([]byte(s))
	}
	return string(p.end(len(texts)))
}

const long = 300 // bytes of a text whose ziplist item has a header of two bytes, and makes the next one's of five

func oldZiplist() string {
	x := strings.Repeat("x", long)
	return ziplistOf("\x01a", "\xf2", "\x01b", "\x032.5", "\x41\x2c"+x, "\xfe\xff", "\x80\x00\x00\x00\x02zz", "\xe0\xff\xff\xff\xff\xff\xff\xff\x7f", "\xf1", "\xf0\xff\xff\x7f",
		"\xd0\x00\x00\x00\x80", "\xfe\xff", "\x03inf", "\x04-inf")
}

// oldSortedSets appends a sorted set of each encoding.
func oldSortedSets(c *composer) {
	c.raw(opSelectDB, 0)
	c.key(SortedSetText, "text").raw(5).text("a").raw(1, '1').text("b").raw(255).text("c").raw(254).text("d").raw(5).WriteString("-17.5")
	c.raw(0xc0, 200, 3).WriteString("0.5")
	c.key(SortedSetBinary, "binary").raw(2).text("x").u64(math.Float64bits(-3)).raw(0xc3, 5, 10, 0, 'a', 0xe0, 0, 0).u64(math.Float64bits(7))
	c.key(SortedSetZiplist, "ziplist").text(oldZiplist())
	c.key(SortedSetListpack, "listpack").text(listpackOf("m", "1", "n", "2.5"))
}

// oldHashesAndSets appends a value of each encoding that Redis 7.0 reads.
func oldHashesAndSets(c *composer) {
	c.key(HashZipmap, "zipmap").text("\x02\x01k\x02\x03vw---\x01e\x00\x01\x00\xff")
	c.key(HashZiplist, "hash ziplist").text(ziplistOf("\x01f", "\x01v", "\xf3", "\xf4"))
	c.key(HashListpack, "hash listpack").text(listpackOf("f", "v"))
	c.key(HashStrings, "table").raw(1).text("f").text("v")
	c.key(SetStrings, "set").raw(2).text("a").raw(0xc1, 0x39, 0x30)
	c.key(SetIntset, "intset").text("\x04\x00\x00\x00\x02\x00\x00\x00\xff\xff\xff\xff\x01\x00\x01\x00")
}

// TestRedisReadsThem proves that what these tests compose is what redis-server reads.
func TestRedisReadsThem(t *testing.T) {
	server, dir := startRedis(t, "--enable-debug-command", "yes")
	c := file(10)
	oldSortedSets(c)
	oldHashesAndSets(c)
	composed := c.end()
	path := filepath.Join(dir, "dump.rdb")
	require.NoError(t, os.WriteFile(path, composed, 0o600))
	checkFile(t, path)
	require.NoError(t, server.Do(context.Background(), "debug", "reload", "nosave").Err())
	require.NoError(t, server.Save(context.Background()).Err())
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	theirs, _, err := readAll(bytes.NewReader(b), ReadOptions{})
	require.NoError(t, err)
	ours, _, err := readAll(bytes.NewReader(composed), ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, theirs, ours)
	require.Len(t, ours, 10)
}

// TestOldSortedSets reads every encoding of sorted sets that there was, in a file of version 1, which has no checksum, and in one of version 6.
func TestOldSortedSets(t *testing.T) {
	for _, version := range []int{1, 4, 5, 6, 9, 12} {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			c := file(version)
			oldSortedSets(c)
			b := c.end()
			if version < firstChecked {
				b = b[:len(b)-8]
			}
			all, _, err := readAll(bytes.NewReader(b), ReadOptions{})
			require.NoError(t, err)
			require.Equal(t, []pair{{"b", math.Inf(-1)}, {"d", -17.5}, {"-56", 0.5}, {"a", 1}, {"c", math.Inf(1)}}, all["0/text"].pairs)
			require.Equal(t, []pair{{"x", -3}, {strings.Repeat("a", 10), 7}}, all["0/binary"].pairs)
			require.Equal(t, []pair{{"inf", math.Inf(-1)}, {"-2147483648", -1}, {strings.Repeat("x", long), -1}, {"a", 1}, {"b", 2.5}, {"0", 8388607},
				{"zz", 9223372036854775807}}, all["0/ziplist"].pairs)
			require.Equal(t, []pair{{"m", 1}, {"n", 2.5}}, all["0/listpack"].pairs)
		})
	}
}

// TestOldHashesAndSets reads the other encodings of hashes, sets and strings.
func TestOldHashesAndSets(t *testing.T) {
	when := time.UnixMilli(1_900_000_000_123)
	c := file(12)
	c.raw(opAux).text("redis-ver").text("2.4.0").raw(opSlotInfo, 1, 2, 3).raw(opFunction).text("code").raw(opFunctionPre).text("n").text("LUA").raw(1).text("about").text("code")
	c.raw(opSelectDB, 5).raw(opResizeDB, 9, 1)
	oldHashesAndSets(c)
	c.key(HashExpiring, "expiring").u64(uint64(when.UnixMilli())).raw(2).length(0).text("f").text("v").length(3).text("g").text("w")
	c.key(HashExpiringEarly, "early").raw(1).length(uint64(when.UnixMilli())).text("f").text("v")
	c.key(HashListpackEx, "packed").u64(uint64(when.UnixMilli())).text(listpackOf("f", "v", "1900000000123", "g", "w", "0"))
	c.key(HashListpackExEarly, "packed early").text(listpackOf("f", "v", "0"))
	c.key(SetListpack, "pack").text(listpackOf("a", "-5"))
	c.raw(opExpire, 0xff, 0xff, 0xff, 0x7f, opIdle, 5, opFreq, 7).key(StringText, "text").raw(0xc2, 0, 0, 0, 0x80)
	f, err := NewReader(bytes.NewReader(c.end()), ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, 12, f.Version())
	defer func() { require.Equal(t, Unkeyed{Functions: 2}, f.Unkeyed()) }()
	hashes, sets := map[string]string{}, map[string]string{}
	for {
		key, err := f.Next()
		if err != nil {
			require.ErrorContains(t, err, "EOF")
			break
		}
		require.Equal(t, 5, key.DB)
		name := string(key.Name)
		switch key.Kind {
		case Hash:
			require.NoError(t, key.Hash(func(field, value []byte, expires time.Time) error {
				hashes[name] += fmt.Sprintf("%s=%s ", field, value)
				if !expires.IsZero() {
					hashes[name] += fmt.Sprint("@", expires.UnixMilli()-when.UnixMilli(), " ")
				}
				return nil
			}))
		case Set:
			require.NoError(t, key.Set(func(m []byte) error { sets[name] += string(m) + " "; return nil }))
		case String:
			s, err := key.Bytes()
			require.NoError(t, err)
			require.Equal(t, "-2147483648", string(s))
			require.Equal(t, time.Unix(math.MaxInt32, 0), key.Expires)
			require.EqualValues(t, 5, key.Idle)
			require.Equal(t, 7, key.Freq)
			require.ErrorIs(t, key.Hash(nil), ErrKind)
		}
	}
	require.Equal(t, map[string]string{"zipmap": "k=vw e= ", "hash ziplist": "f=v 2=3 ", "hash listpack": "f=v ", "table": "f=v ", "expiring": "f=v g=w @2 ", "early": "f=v @0 ",
		"packed": "f=v @0 g=w ", "packed early": "f=v "}, hashes)
	require.Equal(t, map[string]string{"set": "a 12345 ", "intset": "-1 65537 ", "pack": "a -5 "}, sets)
}

// unread appends values that a caller does not read.
func unread(c *composer) {
	for _, e := range []Encoding{SortedSetText, SortedSetBinary, SortedSetListpack, HashStrings, HashExpiring, HashExpiringEarly, HashListpackEx, SetStrings, SetIntset} {
		c.key(e, "unread") // what a caller does not read
		switch e {
		case SortedSetText:
			c.raw(2).text("a").raw(254).text("b").raw(1, '5')
		case SortedSetBinary:
			c.raw(1).text("a").u64(0)
		case HashStrings:
			c.raw(1).text("a").text("b")
		case HashExpiring:
			c.u64(5).raw(1).raw(1).text("a").text("b")
		case HashExpiringEarly:
			c.raw(1).raw(1).text("a").text("b")
		case HashListpackEx:
			c.u64(5).text(listpackOf("a", "b", "5"))
		case SetStrings:
			c.raw(1, 0xc3, 5, 10, 0, 'a', 0xe0, 0, 0)
		default:
			c.text("anything")
		}
	}
}

// TestSkipped skips streams of three versions, modules and lists, and goes on behind them.
func TestSkipped(t *testing.T) {
	id := string(make([]byte, 16))
	c := file(12)
	module := uint64(0)
	for _, letter := range "zrank-ext" { // as the module API packs a name: six bits each
		module = module<<6 | uint64(strings.IndexRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", letter))
	}
	module = module<<10 | 3
	parts := func() {
		c.raw(1).length(5).raw(2).length(1<<40).raw(3, 1, 2, 3, 4).raw(4).u64(9).raw(5).text("s").raw(moduleEnd)
	}
	c.raw(opModuleAux).length(module).raw(2, 1)
	parts()
	c.key(ModuleSecond, "module").length(module)
	parts()
	for e := StreamListpacks; e <= StreamListpacks3; e += 1 {
		if e != StreamListpacks && e != StreamListpacks2 && e != StreamListpacks3 {
			continue
		}
		c.key(e, "stream").raw(1).text(id).text(listpackOf("1")).raw(1, 2, 3)
		if e > StreamListpacks {
			c.raw(1, 2, 3, 4, 5)
		}
		c.raw(1).text("group").raw(1, 2)
		if e > StreamListpacks {
			c.raw(3)
		}
		c.raw(1).WriteString(id)
		c.u64(77).raw(2).raw(1).text("consumer").u64(5)
		if e == StreamListpacks3 {
			c.u64(6)
		}
		c.raw(1).WriteString(id)
	}
	c.key(ListStrings, "list").raw(2).text("a").raw(0xc0, 1).key(ListZiplist, "list").text(ziplistOf()).key(ListQuicklist, "list").raw(1).text(ziplistOf()).
		key(ListQuicklist2, "list").raw(2, 1).text("plain").raw(2).text(listpackOf("a"))
	unread(c)
	c.key(StringText, "last").text("here")
	f, err := NewReader(bytes.NewReader(c.end()), ReadOptions{})
	require.NoError(t, err)
	count := map[string]int{}
	for {
		key, err := f.Next()
		if err != nil {
			require.ErrorContains(t, err, "EOF")
			break
		}
		count[key.Kind.String()+key.ModuleType]++
		if key.Kind == String {
			require.Equal(t, "last", string(key.Name))
		}
	}
	require.Equal(t, map[string]int{"modulezrank-ext": 1, "stream": 3, "list": 4, "zset": 3, "hash": 4, "set": 2, "string": 1}, count)
	require.Equal(t, Unkeyed{ModuleAux: 1}, f.Unkeyed())
}

func TestVersions(t *testing.T) {
	for header, want := range map[string]string{"REDIS0013": "version 13 of Redis", "REDIS0099": "version 99 of Redis", "VALKEY080": "version 80 of Valkey"} {
		_, err := NewReader(strings.NewReader(header), ReadOptions{})
		require.ErrorIs(t, err, ErrVersion)
		require.ErrorContains(t, err, want)
		f, err := NewReader(strings.NewReader(header+"\xff"+strings.Repeat("\x00", 8)), ReadOptions{AnyVersion: true})
		require.NoError(t, err)
		_, err = f.Next()
		require.ErrorContains(t, err, "EOF")
	}
	for _, header := range []string{"", "REDIS", "REDIS000x", "REDIS0000", "redis0009", "VALKEY00x", "PK\x03\x04aaaaaa", "REDIS-001"} {
		_, err := NewReader(strings.NewReader(header), ReadOptions{})
		require.ErrorIs(t, err, ErrNotRDB, header)
	}
	f, err := NewReader(strings.NewReader("VALKEY080\x16\x01k"), ReadOptions{AnyVersion: true})
	require.NoError(t, err)
	_, err = f.Next()
	require.ErrorIs(t, err, ErrCorrupt) // Valkey's 22 is not Redis's
	_, err = NewReader(nil, ReadOptions{MaxString: -1})
	require.ErrorContains(t, err, "MaxString is -1")
}
