package periods

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// ofPeriod returns the ranking of a period.
func ofPeriod(b *catalog.Board, st *state.State, t *state.Timeline, p window.Period) board.Ranking {
	s := periodSubject(b, st, t, p)
	return ranking.New(&s, st.Rules)
}

// periodSubject returns the subject of a period's ranking: the source of its set, the id in its cursors, and its Info.
func periodSubject(b *catalog.Board, st *state.State, t *state.Timeline, p window.Period) ranking.Subject {
	slot := t.SlotOf(p)
	set := &engineSource{e: b.Engine(), owner: b.Owner(), key: slot.Key, parts: slot.Parts, form: st.Form}
	if st.Spec.MaxMeta > 0 {
		set.meta = func(tx *engine.Tx, member string) ([]byte, error) { return metaOf(tx, st, t, p.Name, member) }
	}
	source := boardSource{set, b, st, func() bool { return t.IsClosed(slot) }, func() ranking.Vacancies { return st.Vacancies(t, slot) }}
	if rolling.IsRolling(t) {
		return ranking.NewSubject(rollingSource{source, t}, slot.Key, func() board.Info { return st.Info(t, p) })
	}
	if t.Top != nil {
		return ranking.NewSubject(topSource{source, t, slot}, slot.Key, func() board.Info { return st.Info(t, p) })
	}
	return ranking.NewSubject(source, slot.Key, func() board.Info { return st.Info(t, p) })
}

// metaOf returns the metadata of a member's entry, nil for none.
func metaOf(tx *engine.Tx, st *state.State, t *state.Timeline, period, member string) ([]byte, error) {
	meta, _, err := tx.Get(boardkey.Meta(st.Name, t.Window.Name, period, member))
	return meta, err
}

// ofBaseline returns the ranking of a baseline.
func ofBaseline(b *catalog.Board, st *state.State, window, name string) board.Ranking {
	info := board.Info{Board: st.Name, Window: window, Period: name, Closed: true}
	src := &engineSource{e: b.Engine(), owner: b.Owner(), key: st.BaselineKey(window, name), form: st.Form}
	s := ranking.NewSubject(boardSource{src, b, st, func() bool { return true }, func() ranking.Vacancies { return nil }}, src.key, func() board.Info { return info })
	return ranking.New(&s, st.Rules)
}
