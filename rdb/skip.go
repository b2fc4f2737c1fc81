package rdb

// skipValue reads a value of any kind and forgets it.
func (in *input) skipValue(e Encoding) error {
	switch e {
	case ListStrings, SetStrings, ListQuicklist:
		return in.skipCounted(func() error { return in.skipText() })
	case SortedSetText:
		return in.skipCounted(in.skipTextScore)
	case SortedSetBinary:
		return in.skipCounted(func() error { return in.skipTextAnd(8) })
	case HashStrings:
		return in.skipCounted(func() error { return in.skipTexts(2) })
	case ListQuicklist2:
		return in.skipCounted(func() error {
			if _, err := in.count(); err != nil {
				return err
			}
			return in.skipText()
		})
	case HashExpiring, HashExpiringEarly:
		return in.skipExpiring(e)
	case HashListpackEx:
		if err := in.skip(8); err != nil {
			return err
		}
		return in.skipText()
	case StreamListpacks, StreamListpacks2, StreamListpacks3:
		return in.skipStream(e)
	case ModuleSecond:
		return in.skipModule()
	}
	return in.skipText()
}

// skipCounted calls skip as often as the length says that it reads.
func (in *input) skipCounted(skip func() error) error {
	n, err := in.count()
	for range n {
		if err := skip(); err != nil {
			return err
		}
	}
	return err
}

// skipTextAnd reads a string and n bytes, and forgets both.
func (in *input) skipTextAnd(n uint64) error {
	if err := in.skipText(); err != nil {
		return err
	}
	return in.skip(n)
}

// skipTextScore reads a member and its score in decimal text.
func (in *input) skipTextScore() error {
	if err := in.skipText(); err != nil {
		return err
	}
	size, err := in.byte()
	if err != nil || size >= 253 {
		return err
	}
	return in.skip(uint64(size))
}

// skipExpiring reads a hash whose fields may expire.
func (in *input) skipExpiring(e Encoding) error {
	if e == HashExpiring {
		if err := in.skip(8); err != nil {
			return err
		}
	}
	return in.skipCounted(func() error {
		if _, err := in.count(); err != nil {
			return err
		}
		return in.skipTexts(2)
	})
}

// skipStream reads a stream: its entries, its ids, and its groups with their consumers.
func (in *input) skipStream(e Encoding) error {
	const id = 16
	if err := in.skipCounted(func() error { return in.skipTexts(2) }); err != nil {
		return err
	}
	ids, group := 3, 2 // lengths: entries, and the last id; the group's last id
	if e >= StreamListpacks2 {
		ids, group = 8, 3
	}
	times := uint64(8)
	if e >= StreamListpacks3 {
		times = 16
	}
	if err := in.lengths(ids); err != nil {
		return err
	}
	return in.skipCounted(func() error {
		if err := in.skipText(); err != nil {
			return err
		}
		if err := in.lengths(group); err != nil {
			return err
		}
		pending := func() error {
			if err := in.skip(id + 8); err != nil {
				return err
			}
			return in.lengths(1)
		}
		if err := in.skipCounted(pending); err != nil {
			return err
		}
		return in.skipCounted(func() error {
			if err := in.skipTextAnd(times); err != nil {
				return err
			}
			return in.skipCounted(func() error { return in.skip(id) })
		})
	})
}

// skipModule reads what a module has written, behind its id.
func (in *input) skipModule() error {
	for {
		at := in.offset()
		op, err := in.count()
		if err != nil {
			return err
		}
		switch op {
		case moduleEnd:
			return nil
		case moduleSigned, moduleLength:
			err = in.lengths(1)
		case moduleFloat:
			err = in.skip(4)
		case moduleDouble:
			err = in.skip(8)
		case moduleString:
			err = in.skipText()
		default:
			err = corrupt(at, "a part of the unknown kind %d of a module's value", op)
		}
		if err != nil {
			return err
		}
	}
}

// moduleName returns the name in a module's id: nine characters of six bits, above ten bits of a version.
func moduleName(id uint64) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	name := make([]byte, 9)
	for i := range name {
		name[len(name)-1-i] = letters[id>>(10+6*i)&63]
	}
	return string(name)
}
