package rdb

import (
	"encoding/binary"
	"strconv"
	"time"
)

// Damage inside a blob has the offset at which the blob's string begins, and the position in the blob as a part of its reason.

// inBlob returns a *CorruptError for a reason, or the error of a callback.
func inBlob(begin int64, at int, reason string) error {
	return corrupt(begin, "%s, at byte %d of it", reason, at)
}

// packedItems reads a listpack. The buffer is for the text of a number.
func (in *input) packedItems(each func(i item, buf *[20]byte) error) error {
	w, begin, err := in.packed(false)
	if err != nil {
		return err
	}
	var buf [20]byte
	for {
		i, ok, err := w.next()
		if err != nil {
			return inBlob(begin, w.at(), err.Error())
		}
		if !ok {
			return nil
		}
		if err := each(i, &buf); err != nil {
			return err
		}
	}
}

// packed reads the string of a listpack or ziplist.
func (in *input) packed(isZiplist bool) (w walker, begin int64, err error) {
	begin = in.offset()
	b, err := in.text()
	if err != nil {
		return nil, begin, err
	}
	if isZiplist {
		w, err = newZiplist(b)
	} else {
		w, err = newListpack(b)
	}
	if err != nil {
		err = inBlob(begin, 0, err.Error())
	}
	return w, begin, err
}

// packedPairs reads a listpack or ziplist of pairs. A reason that each returns is why the pair is damaged. The buffers are for the texts of numbers.
func (in *input) packedPairs(isZiplist bool, each func(a, b item, buf *[2][20]byte) (reason string, err error)) error {
	w, begin, err := in.packed(isZiplist)
	if err != nil {
		return err
	}
	var buf [2][20]byte
	for {
		a, more, err := w.next()
		if err != nil {
			return inBlob(begin, w.at(), err.Error())
		}
		if !more {
			return nil
		}
		b, ok, err := w.next()
		if err != nil {
			return inBlob(begin, w.at(), err.Error())
		}
		if !ok {
			return inBlob(begin, w.at(), "a list of pairs whose last one has no second")
		}
		reason, err := each(a, b, &buf)
		if reason != "" {
			return inBlob(begin, w.at(), reason)
		}
		if err != nil {
			return err
		}
	}
}

// expiringPack reads a listpack of fields, values and the times at which they expire.
func (in *input) expiringPack(hasLeast bool, each func(field, value []byte, expires time.Time) error) error {
	if hasLeast { // the first expiry, which the listpack has again
		if _, err := in.take(8); err != nil {
			return err
		}
	}
	w, begin, err := in.packed(false)
	if err != nil {
		return err
	}
	var items [3]item
	var buf [2][20]byte
	for n := 0; ; n++ {
		i, ok, err := w.next()
		if err != nil {
			return inBlob(begin, w.at(), err.Error())
		}
		if !ok {
			if n%3 != 0 {
				return inBlob(begin, w.at(), "a list of triples whose last one is not whole")
			}
			return nil
		}
		items[n%3] = i
		if n%3 < 2 {
			continue
		}
		var expires time.Time
		switch {
		case i.isText || i.number < 0:
			return inBlob(begin, w.at(), "a field whose expiry is no time")
		case i.number > 0:
			expires = time.UnixMilli(i.number)
		}
		if err := each(items[0].bytes(buf[0][:]), items[1].bytes(buf[1][:]), expires); err != nil {
			return err
		}
	}
}

// zipmap reads a zipmap.
func (in *input) zipmap(each func(field, value []byte) error) error {
	begin := in.offset()
	b, err := in.text()
	if err != nil {
		return err
	}
	var failed error
	at, err := walkZipmap(b, func(field, value []byte) error {
		failed = each(field, value)
		return failed
	})
	if failed != nil || err == nil {
		return failed
	}
	return inBlob(begin, at, err.Error())
}

// intset reads a set of integers.
//
//	+----------------+---------+--------------------+
//	| width: 2, 4, 8 | numbers | numbers, ascending |
//	| 4 B            | 4 B     | ...                |
//	+----------------+---------+--------------------+
func (in *input) intset(each func([]byte) error) error {
	begin := in.offset()
	b, err := in.text()
	if err != nil {
		return err
	}
	const header = 8
	if len(b) < header {
		return inBlob(begin, 0, "an intset without a header")
	}
	width, n := uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[4:]))
	if width != 2 && width != 4 && width != 8 || uint64(len(b)-header) != width*n {
		return inBlob(begin, 0, "an intset of "+strconv.Itoa(len(b))+" bytes with a wrong frame")
	}
	var buf [20]byte
	var last int64
	for i := range int(n) {
		at := header + i*int(width)
		v := littleEndian(b[at : at+int(width)])
		if i > 0 && v <= last {
			return inBlob(begin, at, "an intset whose numbers do not ascend")
		}
		last = v
		if err := each(strconv.AppendInt(buf[:0], v, 10)); err != nil {
			return err
		}
	}
	return nil
}
