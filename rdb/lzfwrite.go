package rdb

// A compressor writes LZF texts. It finds the copies that Redis finds, so its texts are those of Redis: candidates come from one table of the last position of
// each hash of three bytes, and inside a copy only the last two positions enter the table.
type compressor struct {
	// slots has base + position of the last three bytes with a hash. Smaller values are of earlier texts.
	slots []uint32
	base  uint32
	used  uint32 // positions of the last text
	out   []byte
	run   int // bytes since the last copy, at the end of out, with a byte for their number before them
}

const (
	lzfHashBits = 16
	lzfMaxInput = 1<<31 - 1
)

// lzfSlot returns the place of three bytes in the table.
func lzfSlot(b []byte) uint32 {
	h := uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
	return (h>>(24-lzfHashBits) - 5*h) & (1<<lzfHashBits - 1)
}

// compress returns the LZF text of src, or ok false if it would have more than len(src) - 4 bytes. The text is valid until the next call.
func (c *compressor) compress(src []byte) (text []byte, ok bool) {
	if len(src) <= 4 || len(src) > lzfMaxInput {
		return nil, false
	}
	c.begin(len(src))
	limit := len(src) - 4
	c.out, c.run = append(c.out[:0], 0), 0
	i := 0
	for i < len(src)-2 {
		from, found := c.candidate(src, i)
		if !found {
			if len(c.out) >= limit {
				return nil, false
			}
			c.literal(src[i])
			i++
			continue
		}
		c.endRun()
		if len(c.out)+4 >= limit {
			return nil, false
		}
		n := lzfMatch(src, from, i)
		c.copy(i-from-1, n)
		i += n
		if i >= len(src)-2 {
			break
		}
		for p := i - 2; p < i; p++ {
			c.slots[lzfSlot(src[p:])] = c.base + uint32(p)
		}
	}
	if len(c.out)+3 > limit {
		return nil, false
	}
	for ; i < len(src); i++ {
		c.literal(src[i])
	}
	c.endRun()
	return c.out, true
}

// begin makes the table empty for a text of n bytes.
func (c *compressor) begin(n int) {
	if c.slots == nil {
		c.slots = make([]uint32, 1<<lzfHashBits)
	}
	if c.base += c.used + 1; c.base >= lzfMaxInput { // each position of the last text is less
		clear(c.slots)
		c.base = 1
	}
	c.used = uint32(n)
	if c.out == nil {
		c.out = make([]byte, 0, min(n, 4096))
	}
}

// candidate puts position i into the table, and returns the earlier position from which a copy can be made.
func (c *compressor) candidate(src []byte, i int) (from int, ok bool) {
	slot := &c.slots[lzfSlot(src[i:])]
	was := *slot
	*slot = c.base + uint32(i)
	if was <= c.base { // of an earlier text, or the first position, which Redis does not copy from
		return 0, false
	}
	from = int(was - c.base)
	return from, i-from-1 < lzfMaxBack && src[from] == src[i] && src[from+1] == src[i+1] && src[from+2] == src[i+2]
}

// lzfMatch returns how many bytes at i are those at from, where three are; at least 3.
func lzfMatch(src []byte, from, i int) int {
	const first = 19
	most := min(len(src)-i-2, lzfMaxCopy)
	n := 3
	if most > 16 { // then Redis looks at these without regard to the end
		for n < first && src[from+n] == src[i+n] {
			n++
		}
		if n < first {
			return n
		}
	}
	for n < most && src[from+n] == src[i+n] {
		n++
	}
	return n
}

// literal appends a byte that is no part of a copy.
func (c *compressor) literal(b byte) {
	c.out = append(c.out, b)
	c.run++
	if c.run == lzfMaxRun {
		c.endRun()
		c.out = append(c.out, 0)
	}
}

// endRun writes the number of the bytes since the last copy before them, or removes the byte for it.
func (c *compressor) endRun() {
	if c.run == 0 {
		c.out = c.out[:len(c.out)-1]
	} else {
		c.out[len(c.out)-c.run-1] = byte(c.run - 1)
	}
	c.run = 0
}

// copy appends a copy of n bytes, back bytes further back than the last one, and begins a run.
func (c *compressor) copy(back, n int) {
	n -= 2
	if n < 7 {
		c.out = append(c.out, byte(back>>8)|byte(n<<5))
	} else {
		c.out = append(c.out, byte(back>>8)|7<<5, byte(n-7))
	}
	c.out = append(c.out, byte(back), 0)
}
