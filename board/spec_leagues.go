package board

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Leagues puts the members of each period of a window into cohorts, as they arrive. When the period
// is closed, the best of each cohort are promoted to the next tier, and the last are relegated.
// With a grace members of the next period queue for their cohorts until then: see "Leagues".
type Leagues struct {
	Window string   `json:"window"`          // a window whose periods close
	Tiers  []string `json:"tiers"`           // the names of the tiers, the lowest first: 1 to MaxTiers
	Size   int      `json:"size"`            // the most members of a cohort: 2 to MaxCohort
	Up     int      `json:"up,omitempty"`    // how many of the best of a cohort are promoted
	Down   int      `json:"down,omitempty"`  // how many of the last are relegated; Up + Down is at most Size
	Bands  []int64  `json:"bands,omitempty"` // limits of Submission.Skill, in ascending order: members between the same two limits are put together; none: all of a tier are
}

// clone returns a deep copy.
func (l *Leagues) clone() *Leagues {
	if l == nil {
		return nil
	}
	c := *l
	c.Tiers, c.Bands = slices.Clone(l.Tiers), slices.Clone(l.Bands)
	return &c
}

// Band returns the band of a skill, from 0: the number of limits that it reaches. O(log bands).
func (l *Leagues) Band(skill int64) int {
	i, found := slices.BinarySearch(l.Bands, skill)
	if found {
		i++
	}
	return i
}

// Tier returns the number of a tier, from 0. Error: ErrTier.
func (l *Leagues) Tier(name string) (int, error) {
	i := slices.Index(l.Tiers, name)
	if i < 0 {
		return 0, fmt.Errorf("%w: %q, want one of %s", ErrTier, name, strings.Join(l.Tiers, ", "))
	}
	return i, nil
}

// validate checks the values.
func (l *Leagues) validate(bad func(format string, args ...any)) {
	if len(l.Tiers) < 1 || len(l.Tiers) > MaxTiers {
		bad("there are %d tiers, want 1 to %d", len(l.Tiers), MaxTiers)
	}
	for i, name := range l.Tiers {
		switch {
		case name == "" || len(name) > MaxTier || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
			bad("tier %d is %q, want 1 to %d bytes of UTF-8 without control characters", i+1, name, MaxTier)
		case slices.Contains(l.Tiers[:i], name):
			bad("tier %q is there twice", name)
		}
	}
	if l.Size < 2 || l.Size > MaxCohort {
		bad("size is %d, want 2 to %d", l.Size, MaxCohort)
	}
	if l.Up < 0 || l.Down < 0 || l.Up+l.Down > l.Size {
		bad("up is %d and down is %d, want 0 or more, and not more than the size together", l.Up, l.Down)
	}
	if len(l.Bands) > MaxBands {
		bad("there are %d bands, want at most %d", len(l.Bands), MaxBands)
	}
	for i := 1; i < len(l.Bands); i++ {
		if l.Bands[i] <= l.Bands[i-1] {
			bad("band %d is behind %d, want them in ascending order", l.Bands[i], l.Bands[i-1])
		}
	}
}

// CanFollow returns an error if cohorts of l cannot stay when the leagues of a board become next: then they are to be removed first. Either may be nil.
// Error: ErrSpec.
func (l *Leagues) CanFollow(next *Leagues) error {
	if l == nil || next == nil {
		return nil
	}
	var why string
	switch {
	case l.Window != next.Window:
		why = fmt.Sprintf("window is %s, not %s", l.Window, next.Window)
	case len(next.Tiers) < len(l.Tiers):
		why = fmt.Sprintf("there are %d tiers, not %d", len(l.Tiers), len(next.Tiers))
	case next.Size < l.Size:
		why = fmt.Sprintf("size is %d, not %d", l.Size, next.Size)
	case !slices.Equal(l.Bands, next.Bands):
		why = fmt.Sprintf("bands are %v, not %v", l.Bands, next.Bands)
	default:
		return nil
	}
	return fmt.Errorf("%w: leagues: cohorts stay as they are: %s", ErrSpec, why)
}

const (
	// MaxTiers is the most tiers that Leagues may have.
	MaxTiers = 32
	// MaxTier is the length of the longest name of a tier, in bytes.
	MaxTier = 64
	// MaxBands is the most that Leagues.Bands may be.
	MaxBands = 1000
	// MaxCohort is the most members that a cohort may have.
	MaxCohort = 10_000
)
