package board

import (
	"context"

	"github.com/zrankdb/zrank/engine/board/internal/unions"
)

// UnionSpec says which rankings a union takes, and how it combines a member's scores in them.
//
//	Sources  []UnionSource  at least one; their boards have the same number of columns, of the same kinds and orders
//	Combine  Op             Sum, the default; Min or Max, of each column; or Best, of whole scores
//	Columns  []Op           the columns' own operators, Sum, Min or Max; "" stands for Combine; none with Best
//
// Its JSON is that of the files that zrank union reads.
type UnionSpec = unions.Spec

// UnionSource is one ranking, or several periods of a window. At most one of Period, Last, From and Baseline is set; with none of them it is the
// live period.
//
//	Board     string
//	Window    string   "": the board's first window
//	Period    string   the name of a period, which must have members
//	Last      int      a number of periods: the live one and those before it
//	From, To  string   the names of the first and the last of several periods; without To, the last is the live one
//	Baseline  string   the name of a baseline, which must have members
//	Weights   []Value  multiply the scores: one for all columns, or one for each; none is 1
//
// Of several periods, those without members, or that are not kept any more, count as empty.
type UnionSource = unions.Source

// StoredUnion describes a stored union: its Name; its number of Members; StoredAt, when it was computed, by the engine's clock; its Spec;
// and the Columns of its scores.
type StoredUnion = unions.Stored

// MaxUnionPeriods is the largest number of rankings that a union takes, each period counted.
const MaxUnionPeriods = unions.MaxPeriods

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
func (bs *Boards) Union(ctx context.Context, spec UnionSpec) (Ranking, error) {
	return unions.Union(ctx, bs.catalog, spec)
}

// StoreUnion computes a union and stores it under a name, as a closed ranking of its own: it does not change, is read from the disk when it is
// used, and Check compares its entries with the digest that is stored beside it. One commit replaces a stored union of the same name. Stored
// unions belong to no board: a name is 1 to 1024 bytes of UTF-8 without control characters, may be that of a board too, and the union stays when
// the boards are migrated or dropped. Unions are stored one after the other. After a crash the name has the union before or the new one. Errors:
// those of Union; ErrUnion for a name. After an error nothing has changed, unless it is ErrStalled or ErrPersistence: see Engine.Update.
func (bs *Boards) StoreUnion(ctx context.Context, name string, spec UnionSpec) error {
	return unions.Store(ctx, bs.catalog, name, spec)
}

// StoredUnion returns the ranking of a stored union; Info has its name as the Period, and when it was stored as ClosedAt. If the union is
// dropped or stored again, calls on the ranking return ErrNoUnion. O(1). Errors: ErrNoUnion, ErrClosed, those of the engine.
func (bs *Boards) StoredUnion(name string) (Ranking, error) { return unions.Ranking(bs.catalog, name) }

// StoredUnions returns the stored unions in the order of their names. O(unions). Errors: ErrClosed, those of the engine.
func (bs *Boards) StoredUnions() ([]StoredUnion, error) { return unions.List(bs.catalog) }

// DropUnion deletes a stored union by one commit. Errors: ErrNoUnion, ErrClosed, those of the engine.
func (bs *Boards) DropUnion(name string) error { return unions.Drop(bs.catalog, name) }
