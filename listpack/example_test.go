package listpack_test

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/listpack"
)

func show(l *listpack.List) {
	for p := l.Begin(); p != l.End(); p = l.Next(p) {
		e := l.Entry(p)
		fmt.Printf("%d %s\n", e.Key, e.Member)
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
		fmt.Printf("%s ", l.Entry(p).Member)
	}
	// Output: eve bob ada
}

// Two calls of Seek bound a range of keys, here [10, 30).
func ExampleList_Seek() {
	var l listpack.List
	for i, name := range []string{"ada", "bob", "eve", "kim"} {
		l.Insert(uint64(10*i), nil, []byte(name))
	}
	from, lo := l.Seek(func(e listpack.Entry) bool { return e.Key < 10 })
	to, hi := l.Seek(func(e listpack.Entry) bool { return e.Key < 30 })
	for p := from; p != to; p = l.Next(p) {
		fmt.Printf("%s ", l.Entry(p).Member)
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
	fmt.Printf("% x\n", l.Bytes())

	again, err := listpack.Decode(l.Bytes())
	fmt.Println(again.Len(), err)

	_, err = listpack.Decode(l.Bytes()[:10])
	fmt.Println(errors.Is(err, listpack.ErrCorrupt), err)
	// Output:
	// 01 00 01 00 00 00 00 00 00 00 00 05 02 68 69 0b
	// 1 <nil>
	// true listpack: corrupt bytes: byte 4: 6 bytes are less than an entry
}
