package main

import (
	"fmt"
	"math"
	"strconv"
)

const (
	minSize = 1000
	maxSize = 100_000_000
)

// size is a number of members, as a flag: 1000000, or 1e6.
type size int

func (s *size) String() string { return strconv.Itoa(int(*s)) }
func (s *size) Type() string   { return "members" }

func (s *size) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v != math.Trunc(v) || v < minSize || v > maxSize {
		return fmt.Errorf("want a whole number from %d to %d, such as 1e6", minSize, maxSize)
	}
	*s = size(v)
	return nil
}
