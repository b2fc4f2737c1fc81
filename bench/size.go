package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	minSize = 100
	maxSize = 100_000_000
)

// size is a number of members, as a flag: 1000000, or 1e6.
type size int

func (s *size) String() string { return strconv.Itoa(int(*s)) }
func (s *size) Type() string   { return "members" }

func (s *size) Set(text string) error {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || v != math.Trunc(v) || v < minSize || v > maxSize {
		return fmt.Errorf("want a whole number from %d to %d, such as 1e6, not %q", minSize, maxSize, text)
	}
	*s = size(v)
	return nil
}

// sizes is one size or more, as a flag with commas.
type sizes []size

func (s *sizes) Type() string { return "members" }

func (s *sizes) String() string {
	var text []string
	for _, n := range *s {
		text = append(text, n.String())
	}
	return strings.Join(text, ",")
}

func (s *sizes) Set(text string) error {
	var list sizes
	for one := range strings.SplitSeq(text, ",") {
		var n size
		if err := n.Set(one); err != nil {
			return err
		}
		if slices.Contains(list, n) {
			return fmt.Errorf("%d is there twice", n)
		}
		list = append(list, n)
	}
	*s = list
	return nil
}
