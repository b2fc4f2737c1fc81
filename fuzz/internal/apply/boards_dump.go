package apply

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// dumpBoard writes everything about a board. Two boards with the same dump give the same replies from then on.
func dumpBoard(b Leaderboard, now time.Time) string {
	var text strings.Builder
	fmt.Fprintf(&text, "v%d %s;", b.Version(), b.Spec().Op)
	for _, w := range b.Spec().Windows {
		if err := dumpWindow(&text, b, w, now); err != nil {
			return boardReply("", err)
		}
	}
	if err := dumpLeagues(&text, b); err != nil {
		return boardReply("", err)
	}
	if err := dumpModeration(&text, b); err != nil {
		return boardReply("", err)
	}
	for _, key := range script.OnceKeys {
		text.WriteString(" once " + key + " " + probe(b, key, now))
	}
	return text.String()
}

// dumpWindow writes the periods, awards, baselines and best ranks of one window.
func dumpWindow(text *strings.Builder, b Leaderboard, w board.Window, now time.Time) error {
	ctx := context.Background()
	periods, err := b.Periods(ctx, w.Name)
	if err != nil {
		return err
	}
	for _, p := range periods {
		fmt.Fprintf(text, " %s %s members=%d;", w.Name, ranking(b.Period(ctx, w.Name, p.Period)), p.Members)
	}
	if err := dumpClosed(text, b, w, now); err != nil {
		return err
	}
	if err := dumpAwards(text, b, w); err != nil {
		return err
	}
	bases, err := b.Baselines(ctx, w.Name)
	if err != nil {
		return err
	}
	for _, base := range bases {
		fmt.Fprintf(text, " base %s;", ranking(b.Baseline(ctx, w.Name, base)))
	}
	for _, member := range script.Players {
		best, ok, err := b.BestRank(ctx, w.Name, member)
		if err != nil {
			return err
		}
		if ok {
			fmt.Fprintf(text, " best %q %d", member, best)
		}
	}
	return nil
}

// dumpClosed writes which of the last three periods are closed; no submission of a script is for an older one. A period whose grace has
// ended counts as closed: a board need not close a period that never had an entry.
func dumpClosed(text *strings.Builder, b Leaderboard, w board.Window, now time.Time) error {
	at := now
	for range 3 {
		r, err := b.At(context.Background(), w.Name, at)
		if err != nil {
			return err
		}
		info, err := r.Info(context.Background())
		if err != nil {
			return err
		}
		if info.Start.IsZero() {
			return nil
		}
		info.Closed = info.Closed || w.Grace != window.Forever && !now.Before(info.End.Add(time.Duration(w.Grace)))
		text.WriteString(" " + infoText(info))
		at = info.Start.Add(-time.Second)
	}
	return nil
}

// probe reports whether a Once key has been used. It makes a submission that changes nothing: IfRanked skips it, as its member is not ranked.
func probe(b Leaderboard, key string, now time.Time) string {
	c, err := b.Submit(context.Background(), board.Submission{Member: "nobody", Score: board.Ints(0), At: now, Once: key, If: board.IfRanked})
	return boardReply(fmt.Sprint(c.Duplicate), err)
}
