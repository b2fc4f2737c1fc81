package sets

import "github.com/redis/go-redis/v9"

// Sums are commands whose results are added up.
type Sums []*redis.IntCmd

// Val returns the sum.
func (s Sums) Val() (n int) {
	for _, cmd := range s {
		n += int(cmd.Val())
	}
	return n
}
