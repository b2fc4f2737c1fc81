package local

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/periods"
)

// Union returns a ranking of the members of several rankings, computed now: seven days make a week, three modes one ladder. It does not
// change, as if it were pinned, and takes as much memory as a ranking of its members. Call Union again for a newer one.
//
//	week, err := boards.Union(ctx, board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Window: "day", Last: 7}}})
//
// The rankings are those of one instant: a commit that changed two of them is in both or in neither. Writers wait while one page is copied at a
// time, as for SaveBaseline; closed periods are not copied.
//
// Sums and weights are exact. A column of int64 has as many decimals as the products need, so a weight of 0.5 makes 7.5 of 15. In float64 columns
// values are added in the order of the sources. The columns have the names of the first source. They have bounds if they have both in all sources:
// those of the values that can result.
//
// Members of equal score are ordered by the tie rule of the boards, if all have the same, and else ByMember. A sum was reached when the latest of
// its parts was. Of equal values of Min, Max or Best the one counts that ranks better, and a score of several columns was reached when the
// latest of them was. Members that reached equal scores at the same time are ordered by name. Rows have no metadata.
//
// Info has no Board, Window and times. A cursor of a page continues in a later union of an equal spec.
//
// O(N + n log n) for N entries and n members. Errors: ErrUnion; a *UnionError that wraps ErrUnion, ErrNoBoard, ErrNoWindow, ErrNoPeriod,
// ErrPeriodName or an *OutsideError of a source, ErrOverflow of a weight, or ErrOverflow of the score of a member; ErrMigrating if boards
// are migrated or periods deleted again and again meanwhile; ErrClosed, that of ctx, those of the engine.
func (bs *Boards) Union(ctx context.Context, spec board.UnionSpec) (board.Ranking, error) {
	return periods.Union(ctx, bs.catalog, spec)
}

// StoreUnion computes a union and stores it under a name, as a closed ranking of its own: it does not change, is read from the disk when it is
// used, and Check compares its entries with the digest that is stored beside it. One commit replaces a stored union of the same name. Stored
// unions belong to no board: a name is 1 to 1024 bytes of UTF-8 without control characters, may be that of a board too, and the union stays when
// the boards are migrated or dropped. Unions are stored one after the other. After a crash the name has the union before or the new one. Errors:
// those of Union; ErrUnion for a name. After an error nothing has changed, unless it is ErrStalled or ErrPersistence: see Engine.Update.
func (bs *Boards) StoreUnion(ctx context.Context, name string, spec board.UnionSpec) error {
	return periods.StoreUnion(ctx, bs.catalog, name, spec)
}

// StoredUnion returns the ranking of a stored union; Info has its name as the Period, and when it was stored as ClosedAt. If the union is
// dropped or stored again, calls on the ranking return ErrNoUnion. O(1). Errors: ErrNoUnion, ErrClosed, those of the engine.
func (bs *Boards) StoredUnion(ctx context.Context, name string) (board.Ranking, error) {
	return periods.UnionRanking(bs.catalog, name)
}

// StoredUnions returns the stored unions in the order of their names. O(unions). Errors: ErrClosed, those of the engine.
func (bs *Boards) StoredUnions(ctx context.Context) ([]board.StoredUnion, error) {
	return periods.Unions(ctx, bs.catalog)
}

// DropUnion deletes a stored union by one commit. Errors: ErrNoUnion, ErrClosed, those of the engine.
func (bs *Boards) DropUnion(ctx context.Context, name string) error {
	return periods.DropUnion(ctx, bs.catalog, name)
}
