package listpack_test

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/listpack"
)

func show(l *listpack.List) {
	for p := l.Begin(); p != l.End(); p = l.Next(p) {
		key, _, member := l.Entry(p)
		fmt.Printf("%d %s\n", key, member)
	}
}

// A list that ranks three players, one of whom improves.
func Example() {
	var l listpack.List
	l.Insert(1200, nil, []byte("ada"))
	l.Insert(900, nil, []byte("bob"))
	l.Insert(1500, nil, []byte("eve"))

	p, rank, _ := l.Find([]byte("bob"))
	fmt.Println("bob stands at", rank)
	fmt.Println("bob moves to", l.Replace(p, 1300, nil))
	show(&l)
	// Output:
	// bob stands at 0
	// bob moves to 1
	// 1200 ada
	// 1300 bob
	// 1500 eve
}

// Ties order equal keys: here by the time the score was reached, big endian so that bytes order as numbers do.
func ExampleNew() {
	at := func(second uint64) []byte { return binary.BigEndian.AppendUint64(nil, second) }
	l := listpack.New(8)
	l.Insert(100, at(20), []byte("ada"))
	l.Insert(100, at(10), []byte("bob"))
	show(&l)
	// Output:
	// 100 bob
	// 100 ada
}

// Entries and End form a ring: a walk towards the front also stops at End.
func ExampleList_Prev() {
	var l listpack.List
	for i, name := range []string{"ada", "bob", "eve"} {
		l.Insert(uint64(i), nil, []byte(name))
	}
	for p := l.Prev(l.End()); p != l.End(); p = l.Prev(p) {
		_, _, member := l.Entry(p)
		fmt.Printf("%s ", member)
	}
	// Output: eve bob ada
}

// Two calls of Seek bound a range of keys, here [10, 30).
func ExampleList_Seek() {
	var l listpack.List
	for i, name := range []string{"ada", "bob", "eve", "kim"} {
		l.Insert(uint64(10*i), nil, []byte(name))
	}
	lo, hi := l.Seek(10, nil), l.Seek(30, nil)
	for p := l.At(lo); p != l.At(hi); p = l.Next(p) {
		_, _, member := l.Entry(p)
		fmt.Printf("%s ", member)
	}
	fmt.Println(hi - lo)
	// Output: bob eve 2
}

// Delete leaves the place to the entry that came after, so a range is removed by deleting at one place.
func ExampleList_Delete() {
	var l listpack.List
	for i, name := range []string{"ada", "bob", "eve", "kim"} {
		l.Insert(uint64(i), nil, []byte(name))
	}
	p := l.At(1)
	l.Delete(p)
	l.Delete(p)
	show(&l)
	// Output:
	// 0 ada
	// 3 kim
}

// Decode takes bytes from anywhere and says what is wrong with them.
func ExampleDecode() {
	var l listpack.List
	l.Insert(5, nil, []byte("hi"))
	encoded := l.AppendTo(nil)
	fmt.Printf("% x\n", encoded)

	again, err := listpack.Decode(encoded)
	fmt.Println(again.Len(), err)

	_, err = listpack.Decode(encoded[:10])
	fmt.Println(errors.Is(err, listpack.ErrCorrupt), err)
	// Output:
	// 02 00 01 00 00 00 00 00 00 00 00 05 68 69 02
	// 1 <nil>
	// true listpack: corrupt bytes: byte 4: 1 entries in 6 bytes
}
