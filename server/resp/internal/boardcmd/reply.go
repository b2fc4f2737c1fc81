package boardcmd

import (
	"context"
	"encoding"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// reply writes the result of an operation.
type reply struct {
	*wire.Writer
	meta   bool // rows have metadata
	dry    bool // the operation was a dry run
	erases bool // the operation erases a member: its reply has more
	sparse bool // fields that are empty are left out

	boards *local.Boards
	work   context.Context
}

// version returns the version of a board.
func (w *reply) version(name string) int {
	of, err := w.boards.Board(w.work, name)
	if err != nil { // it has been dropped meanwhile
		return 0
	}
	return of.Version()
}

// result writes the result that a pointer points to: a list alone if it is one, a value alone if it has one.
func (w *reply) result(result any) {
	if w.own(result) {
		return
	}
	v := reflect.ValueOf(result).Elem()
	if only, ok := alone(v); ok {
		v = only
	}
	w.value(v)
}

// value writes a value.
func (w *reply) value(v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			w.Null()
			return
		}
		v = v.Elem()
	}
	v = addressable(v)
	if at := v.Addr().Interface(); w.own(at) || w.common(at) {
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		w.list(v)
	case reflect.Map:
		w.Map(v.Len())
		for _, key := range slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) }) {
			w.BulkString(key.String())
			w.value(v.MapIndex(key))
		}
	case reflect.Struct:
		w.fields(v)
	case reflect.Bool:
		w.Bool(v.Bool())
	case reflect.Int, reflect.Int64:
		w.Int(v.Int())
	case reflect.Uint64:
		w.Int(int64(v.Uint()))
	case reflect.Float64:
		w.Double(v.Float())
	default:
		w.BulkString(v.String())
	}
}

// common writes a value of a type that fields of many results have, and reports whether it is one. at points to it.
func (w *reply) common(at any) bool {
	switch x := at.(type) {
	case *time.Time:
		w.time(*x)
	case *board.Score:
		w.Array(x.Len())
		w.score(*x)
	case *board.Value:
		w.column(*x)
	case *[]byte:
		if *x == nil {
			w.Null()
		} else {
			w.Bulk(*x)
		}
	case encoding.TextMarshaler:
		text, _ := x.MarshalText()
		w.Bulk(text)
	default:
		return false
	}
	return true
}

// leastElement is less than the number of bytes of an element of a list.
const leastElement = len(":1\r\n")

// list writes a list, as far as the reply has room for it.
func (w *reply) list(v reflect.Value) {
	if !w.Expect(v.Len(), leastElement) {
		return
	}
	w.Array(v.Len())
	for i := 0; i < v.Len() && w.Over() == nil; i++ {
		w.value(v.Index(i))
	}
}

// fields writes a struct as a map.
func (w *reply) fields(v reflect.Value) {
	all := fieldsOf(v.Type())
	if w.sparse {
		all = slices.DeleteFunc(slices.Clone(all), func(f field) bool { return f.empty && isEmpty(v.FieldByIndex(f.index)) })
	}
	w.Map(len(all))
	for _, f := range all {
		w.BulkString(f.name)
		if x := v.FieldByIndex(f.index); f.isNone(x) {
			w.Null()
		} else {
			w.value(x)
		}
	}
}

// time writes Unix seconds, null for the zero time.
func (w *reply) time(t time.Time) {
	if t.IsZero() {
		w.Null()
		return
	}
	w.Int(t.Unix())
}

// score writes the columns of a score, one after the other.
func (w *reply) score(s board.Score) {
	for i := range s.Len() {
		w.column(s.At(i))
	}
}

// column writes a column: one with decimals as the nearest double, an absent one as null.
func (w *reply) column(v board.Value) {
	units, exact := v.Units()
	switch {
	case v.IsAbsent():
		w.Null()
	case exact && v.Decimals() == 0:
		w.Int(units)
	default:
		w.Double(v.Float())
	}
}

// own writes a value that has a form of its own, and reports whether it is one. at points to it.
func (w *reply) own(at any) bool {
	switch x := at.(type) {
	case *ops.None:
		w.OK()
	case *ops.Rows:
		w.rows(x.Rows)
	case *ops.Own:
		w.row(&x.Row)
	case *board.Row:
		w.row(x)
	case *board.AmongRow:
		w.amongRow(x)
	case *board.LeagueRow:
		w.leagueRow(x)
	case *awards.Tier:
		w.tier(x)
	case *board.Usage:
		w.usage(x)
	case *board.Moderated:
		w.moderated(x)
	case *board.Reverted:
		w.reverted(x)
	case *ops.Submitted:
		w.submitted(x)
	case *ops.PageOf:
		w.page(x)
	case *feed.Event:
		w.event(x)
	default:
		return false
	}
	return true
}

// rows writes rows, as far as the reply has room for them.
func (w *reply) rows(rows []board.Row) {
	if !w.Expect(len(rows), leastElement) {
		return
	}
	w.Array(len(rows))
	for i := 0; i < len(rows) && w.Over() == nil; i++ {
		w.row(&rows[i])
	}
}

// row writes a row: its rank, the member, each column of the score, and the metadata, or null without any, if it is asked for.
func (w *reply) row(row *board.Row) {
	w.Array(2 + row.Score.Len() + int(command.Bit(w.meta)))
	w.rank(row)
	w.BulkString(row.Member)
	w.score(row.Score)
	switch {
	case !w.meta:
	case row.Meta == nil:
		w.Null()
	default:
		w.Bulk(row.Meta)
	}
}

// rank writes the rank of a row: a number, null for a member without one, or the text of the rank of a member that is not among the best n: "beyond N" or
// "RANK±WITHIN".
func (w *reply) rank(row *board.Row) {
	switch {
	case row.Within > 0:
		w.BulkString(row.RankText())
	case row.Rank == 0:
		w.Null()
	default:
		w.Int(int64(row.Rank))
	}
}

// amongRow writes the rank among the members asked for, and the row.
func (w *reply) amongRow(row *board.AmongRow) {
	w.Array(2)
	w.Int(int64(row.Local))
	w.row(&row.Row)
}

// leagueRow writes the rank, 0 without one, the zone, the member and the columns.
func (w *reply) leagueRow(row *board.LeagueRow) {
	w.Array(3 + row.Score.Len())
	w.Int(int64(row.Rank))
	w.BulkString(row.Zone.String())
	w.BulkString(row.Member)
	w.score(row.Score)
}

// tier writes the name and the payload of what an award grants.
func (w *reply) tier(t *awards.Tier) {
	w.Array(2)
	w.text(t.Name)
	w.text(t.Payload)
}

// page writes the cursor behind the rows, null behind the last one, and the rows.
func (w *reply) page(p *ops.PageOf) {
	w.Array(2)
	if p.Done {
		w.Null()
	} else {
		w.BulkString(p.Next)
	}
	w.rows(p.Rows.Rows)
}

// usage writes a period, with the key of its sorted set.
func (w *reply) usage(u *board.Usage) {
	w.Map(7)
	w.period(u.Info, u.Members)
	w.text("closed")
	w.Bool(u.Closed)
	w.text("closed-at")
	w.time(u.ClosedAt)
}

// period writes five pairs: the name of a period, its key, its start and end, and the number of its members.
func (w *reply) period(i board.Info, members int) {
	w.text("period")
	if i.Period == "" {
		w.Null()
		w.text("key")
		w.Null()
	} else {
		w.text(i.Period)
		w.text("key")
		w.text(local.Key{Board: i.Board, Kind: i.Window, Period: i.Period, Version: w.version(i.Board)}.String())
	}
	w.text("start")
	w.time(i.Start)
	w.text("end")
	w.time(i.End)
	w.text("members")
	w.Int(int64(members))
}

// moderated writes how much has changed, and in a dry run which places would. After a change the reply is short, so that it is never too large.
func (w *reply) moderated(m *board.Moderated) {
	w.Map(3 + int(2*command.Bit(w.erases)+command.Bit(w.dry)))
	w.entry(m.Entry)
	w.text("places")
	w.Int(int64(len(m.Places)))
	w.text("awards")
	w.Int(int64(m.Awards))
	if w.erases {
		w.traces(m)
	}
	w.changes(m.Places)
}

// reverted writes how many rows of the journal and places have changed, as moderated does.
func (w *reply) reverted(r *board.Reverted) {
	w.Map(3 + int(command.Bit(w.dry)))
	w.entry(r.Entry)
	w.text("rows")
	w.Int(int64(len(r.Rows)))
	w.text("places")
	w.Int(int64(len(r.Places)))
	w.changes(r.Places)
}

// entry writes the number of an entry of the audit log, null in a dry run.
func (w *reply) entry(number uint64) {
	w.text("entry")
	if number == 0 {
		w.Null()
		return
	}
	w.Int(int64(number))
}

// changes writes the places that a dry run would change.
func (w *reply) changes(places []board.Place) {
	if w.dry {
		w.text("changes")
		w.value(reflect.ValueOf(places))
	}
}

// traces writes what stands for an erased member, and how much of each kind was erased besides the places.
func (w *reply) traces(m *board.Moderated) {
	var kinds []string
	counts := map[string]int{}
	for _, t := range m.Traces {
		if counts[t.Kind] == 0 {
			kinds = append(kinds, t.Kind)
		}
		counts[t.Kind] += t.Count
	}
	w.text("hash")
	if m.Hash == "" {
		w.Null()
	} else {
		w.text(m.Hash)
	}
	w.text("traces")
	w.Map(len(kinds))
	for _, kind := range kinds {
		w.text(kind)
		w.Int(int64(counts[kind]))
	}
}

// submitted writes the effect of a submission in each window. Ranks are ordinal, from 1; was is the rank before, rank the rank after.
func (w *reply) submitted(s *ops.Submitted) {
	w.Map(2 + int(command.Bit(s.Skipped)))
	w.text("duplicate")
	w.Bool(s.Duplicate)
	if s.Skipped {
		w.text("skipped")
		w.Bool(true)
	}
	w.text("windows")
	w.Array(1 + len(s.Others))
	w.move(&s.Move)
	for i := range s.Others {
		w.move(&s.Others[i])
	}
}

// move writes the effect of a submission in one window.
func (w *reply) move(m *board.Move) {
	w.Map(9 + int(command.Bit(m.Ignored != "")+command.Bit(m.Near != nil)+command.Bit(m.Overtaken != nil)))
	w.text("window")
	w.text(m.Window)
	w.text("period")
	w.text(m.Period)
	w.text("changed")
	w.Bool(m.Changed)
	if m.Ignored != "" {
		w.text("ignored")
		w.text(string(m.Ignored))
	}
	w.text("improved")
	w.Bool(m.Improved)
	w.text("was")
	w.rank(&m.Before)
	w.text("rank")
	w.rank(&m.After)
	w.text("score")
	w.Array(m.After.Score.Len())
	w.score(m.After.Score)
	w.text("passed")
	w.Int(int64(m.Passed))
	w.text("members")
	w.Int(int64(m.Len))
	if m.Near != nil {
		w.text("near")
		w.rows(m.Near)
	}
	if m.Overtaken != nil {
		w.text("overtaken")
		w.rows(m.Overtaken)
	}
}

// event writes the fields that an event has.
func (w *reply) event(e *feed.Event) {
	sparse := reply{Writer: w.Writer, sparse: true}
	sparse.fields(reflect.ValueOf(e).Elem())
}

func (w *reply) text(s string) { w.BulkString(s) }

// writeNone writes what a read of a member answers that is not ranked, or in no group.
func writeNone(w *wire.Writer, op *ops.Op) {
	if t := op.Result(); t == reflect.TypeFor[ops.Own]() || t == reflect.TypeFor[ops.Rows]() {
		w.NullArray()
		return
	}
	w.Null()
}
