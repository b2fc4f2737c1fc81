package cluster

import (
	"hash/fnv"
	"net/url"
	"strconv"
)

// MaxPartitions is the largest number of partitions.
const MaxPartitions = 1024

// partitionOf returns the partition of a member.
func partitionOf(member []byte, partitions int) int {
	h := fnv.New64a()
	_, _ = h.Write(member) // never fails
	return int(h.Sum64() % uint64(partitions))
}

// layout makes the keys of a board.
type layout struct {
	tags []string // of each partition: what its keys begin with
}

// newLayout returns the keys of a board. The name is escaped, since a brace in it would end the hash tag. The id tells it from boards of the same name that were dropped.
func newLayout(prefix, name, id string, partitions int) layout {
	l := layout{tags: make([]string, partitions)}
	for k := range l.tags {
		l.tags[k] = prefix + "{" + url.PathEscape(name) + "/" + strconv.Itoa(k) + "}" + id + "/"
	}
	return l
}

func (l layout) ranking(k int, window, period string) string {
	return l.tags[k] + "z/" + window + "/" + period
}

func (l layout) values(k int, window, period string) string {
	return l.tags[k] + "h/" + window + "/" + period
}

func (l layout) once(k int) string { return l.tags[k] + "once" }

func (l layout) fence(k int) string { return l.tags[k] + "fence" }

// baseline returns the key of the copy of a ranking.
func (l layout) baseline(k int, window, name string) string {
	return l.tags[k] + "bz/" + window + "/" + name
}

// baselineValues returns the key of the copy of the hash beside a ranking.
func (l layout) baselineValues(k int, window, name string) string {
	return l.tags[k] + "bh/" + window + "/" + name
}

// standings returns the key of what operators have said of the members of a partition.
func (l layout) standings(k int) string { return l.tags[k] + "standings" }

// audit returns the key of the audit log of a partition.
func (l layout) audit(k int) string { return l.tags[k] + "audit" }

// changed returns the key of the changes of a partition of a board that is being moved, each as WINDOW/PERIOD/MEMBER, or /KEY for a Once key.
func (l layout) changed(k int) string { return l.tags[k] + "changed" }

// records returns the key of the records of closed periods, in the first partition.
func (l layout) records() string { return l.tags[0] + "records" }
