package wire

import (
	"time"

	"github.com/zrankdb/zrank/board"
)

// Union is board.StoredUnion.
type Union struct {
	Name     string          `json:"name"`
	Members  int             `json:"members"`
	StoredAt time.Time       `json:"storedAt"`
	Spec     board.UnionSpec `json:"spec"`
	Columns  []board.Column  `json:"columns" doc:"Of its scores."`
}

// UnionsOf returns stored unions as JSON has them.
func UnionsOf(all []board.StoredUnion) []Union {
	return list(all, func(u board.StoredUnion) Union { return Union{u.Name, u.Members, u.StoredAt, u.Spec, u.Columns} })
}

// BoardUnions is the inverse of UnionsOf.
func BoardUnions(all []Union) []board.StoredUnion {
	return each(all, func(u Union) board.StoredUnion {
		return board.StoredUnion{Name: u.Name, Members: u.Members, StoredAt: u.StoredAt, Spec: u.Spec, Columns: u.Columns}
	})
}
