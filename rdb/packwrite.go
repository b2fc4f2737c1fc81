package rdb

import (
	"encoding/binary"
	"math"
)

// packer writes listpacks.
type packer struct {
	b     []byte
	score [24]byte
}

// begin empties the packer and begins a listpack.
func (p *packer) begin() { p.b = append(p.b[:0], 0, 0, 0, 0, 0, 0) }

// end ends a listpack of n items and returns it. It is valid until the next one begins.
func (p *packer) end(n int) []byte {
	p.b = append(p.b, packedEnd)
	binary.LittleEndian.PutUint32(p.b, uint32(len(p.b)))
	binary.LittleEndian.PutUint16(p.b[4:], uint16(min(n, unknownCount)))
	return p.b
}

// text appends a text to the listpack, as a number if it is one.
func (p *packer) text(s []byte) {
	if n, ok := parseInt(s); ok {
		p.int(n)
		return
	}
	from := len(p.b)
	switch {
	case len(s) < 1<<6:
		p.b = append(p.b, 0x80|byte(len(s)))
	case len(s) < 1<<12:
		p.b = append(p.b, 0xe0|byte(len(s)>>8), byte(len(s)))
	default:
		p.b = binary.LittleEndian.AppendUint32(append(p.b, 0xf0), uint32(len(s)))
	}
	p.b = append(p.b, s...)
	p.back(len(p.b) - from)
}

// int appends an integer to the listpack.
func (p *packer) int(n int64) {
	from := len(p.b)
	width := 0
	switch {
	case n >= 0 && n < 1<<7:
		p.b = append(p.b, byte(n))
	case n >= -1<<12 && n < 1<<12:
		p.b = append(p.b, 0xc0|byte(n>>8)&0x1f, byte(n))
	case n == int64(int16(n)):
		width = 2
		p.b = append(p.b, 0xf1)
	case n >= -1<<23 && n < 1<<23:
		width = 3
		p.b = append(p.b, 0xf2)
	case n >= math.MinInt32 && n <= math.MaxInt32:
		width = 4
		p.b = append(p.b, 0xf3)
	default:
		width = 8
		p.b = append(p.b, 0xf4)
	}
	for i := range width {
		p.b = append(p.b, byte(n>>(8*i)))
	}
	p.back(len(p.b) - from)
}

// number appends a score to the listpack.
func (p *packer) number(score float64) {
	if n, ok := scoreInt(score); ok {
		p.int(n)
		return
	}
	p.text(appendScore(p.score[:0], score))
}

// back appends the back length of an item of n bytes. Those that just fit get one byte more, as readers before Redis 8.8 expect.
func (p *packer) back(n int) {
	width := backWidth(n)
	if tightBack(n) {
		width++
	}
	for i := width - 1; i >= 0; i-- {
		c := byte(n>>(7*i)) & 0x7f
		if i < width-1 {
			c |= 0x80
		}
		p.b = append(p.b, c)
	}
}
