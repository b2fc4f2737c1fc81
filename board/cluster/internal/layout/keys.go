package layout

import (
	"hash/fnv"
	"net/url"
	"strconv"

	"github.com/zrankdb/zrank/board/internal/auditlog"
)

// MaxPartitions is the largest number of partitions.
const MaxPartitions = 1024

// Keys makes the keys of a board, most of them by the number of a partition.
type Keys struct {
	ID   string   // of the board: it tells it from boards of the same name that were dropped
	tags []string // of each partition: what its keys begin with
}

// NewKeys returns the keys of a board. The name is escaped, since a brace in it would end the hash tag.
func NewKeys(prefix, name, id string, partitions int) Keys {
	all := Keys{id, make([]string, partitions)}
	for k := range all.tags {
		all.tags[k] = prefix + "{" + url.PathEscape(name) + "/" + strconv.Itoa(k) + "}" + id + "/"
	}
	return all
}

// Partitions returns the number of partitions.
func (all Keys) Partitions() int { return len(all.tags) }

// PartitionOf returns the partition of a member.
func (all Keys) PartitionOf(member []byte) int {
	h := fnv.New64a()
	_, _ = h.Write(member) // never fails
	return int(h.Sum64() % uint64(len(all.tags)))
}

// HashOf returns what stands for the name of an erased member. The id of the board is the salt.
func (all Keys) HashOf(member string) string { return auditlog.HashWith([]byte(all.ID), member) }

// Ranking returns the key of the sorted set of a period.
func (all Keys) Ranking(k int, window, period string) string {
	return all.tags[k] + "z/" + window + "/" + period
}

// Values returns the key of the hash beside a sorted set.
func (all Keys) Values(k int, window, period string) string {
	return all.tags[k] + "h/" + window + "/" + period
}

// Baseline returns the key of the copy of a sorted set.
func (all Keys) Baseline(k int, window, name string) string {
	return all.tags[k] + "bz/" + window + "/" + name
}

// BaselineValues returns the key of the copy of the hash beside a sorted set.
func (all Keys) BaselineValues(k int, window, name string) string {
	return all.tags[k] + "bh/" + window + "/" + name
}

// Once returns the key of the Once keys that were used.
func (all Keys) Once(k int) string { return all.tags[k] + "once" }

// Fence returns the key of what a partition knows of periods.
func (all Keys) Fence(k int) string { return all.tags[k] + "fence" }

// Standings returns the key of what operators have said of members.
func (all Keys) Standings(k int) string { return all.tags[k] + "standings" }

// Audit returns the key of the audit log.
func (all Keys) Audit(k int) string { return all.tags[k] + "audit" }

// Changed returns the key of the changes of a board that is being moved, each as WINDOW/PERIOD/MEMBER, or /KEY for a Once key.
func (all Keys) Changed(k int) string { return all.tags[k] + "changed" }

// Records returns the key of the records of closed periods, in the first partition.
func (all Keys) Records() string { return all.tags[0] + "records" }
