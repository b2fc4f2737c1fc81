package zset

import (
	"errors"
	"fmt"
)

const (
	// MaxMember is the length of the longest member, in bytes.
	MaxMember = 16 << 20
	// MaxTieWidth is the width of the widest tie, in bytes.
	MaxTieWidth = 32

	defaultListpackEntries = 128
	defaultListpackMember  = 64
	maxListpackEntries     = 1 << 15
)

// Options say how a set orders and stores its entries. The zero value is a plain sorted set with Redis's thresholds.
type Options struct {
	// TieWidth is the width of every tie in bytes: 0, 8, 16, 24 or 32.
	TieWidth int
	// MaxListpackEntries is the largest number of entries a listpack holds, as Redis's zset-max-listpack-entries. 0 means
	// 128; a negative number means that the set starts as a skiplist.
	MaxListpackEntries int
	// MaxListpackMember is the longest member a listpack holds, in bytes, as Redis's zset-max-listpack-value. 0 means 64.
	MaxListpackMember int
}

// Validate returns one error that names every field with an impossible value, or nil.
func (o Options) Validate() error {
	var errs []error
	if o.TieWidth < 0 || o.TieWidth > MaxTieWidth || o.TieWidth%8 != 0 {
		errs = append(errs, fmt.Errorf("zset: TieWidth is %d, want 0, 8, 16, 24 or 32", o.TieWidth))
	}
	if o.MaxListpackEntries > maxListpackEntries {
		errs = append(errs, fmt.Errorf("zset: MaxListpackEntries is %d, want at most %d", o.MaxListpackEntries, maxListpackEntries))
	}
	if o.MaxListpackMember < 0 || o.MaxListpackMember > MaxMember {
		errs = append(errs, fmt.Errorf("zset: MaxListpackMember is %d, want 0 to %d", o.MaxListpackMember, MaxMember))
	}
	return errors.Join(errs...)
}

// limits are Options with the defaults filled in, in the form that every set carries.
type limits struct {
	maxMember  uint32
	maxEntries uint16
	tieWidth   uint8
}

func (o Options) limits() limits {
	l := limits{maxMember: defaultListpackMember, maxEntries: defaultListpackEntries, tieWidth: uint8(o.TieWidth)}
	if o.MaxListpackEntries != 0 {
		l.maxEntries = uint16(max(o.MaxListpackEntries, 0))
	}
	if o.MaxListpackMember != 0 {
		l.maxMember = uint32(o.MaxListpackMember)
	}
	return l
}
