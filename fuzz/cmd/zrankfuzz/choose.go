package main

import (
	"path"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/fuzz/internal/machine"
)

// choose returns the configurations that match a pattern, in the order of all. A pattern is a layer, a name, the part of a name before a
// slash, or a name with *, ? and [].
func choose(all []machine.Config, patterns []string) (chosen []machine.Config, err error) {
	if len(patterns) == 0 {
		return all, nil
	}
	wanted := make([]bool, len(all))
	for _, pattern := range patterns {
		found := false
		for i, c := range all {
			ok, err := path.Match(pattern, c.Name)
			if err != nil {
				return nil, usagef("--config %q: %w", pattern, err)
			}
			if ok || pattern == c.Layer || pattern == c.Name || strings.HasPrefix(c.Name, pattern+"/") {
				wanted[i], found = true, true
			}
		}
		if !found {
			return nil, usagef("no configuration is called %q: see \"zrankfuzz list\"", pattern)
		}
	}
	for i, c := range all {
		if wanted[i] {
			chosen = append(chosen, c)
		}
	}
	return slices.Clip(chosen), nil
}
