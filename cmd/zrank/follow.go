package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// followFlags has the flags of "zrank follow".
type followFlags struct {
	at                             target.Target
	from                           string
	boards, windows, members, kind []string
	json, hex, once                bool
}

func newFollow() *cobra.Command {
	var f followFlags
	var kinds []string
	for _, k := range feed.Kinds() {
		kinds = append(kinds, k.String())
	}
	c := &cobra.Command{
		Use:   "follow",
		Short: "Print what happens on boards that have a feed",
		Long: `Print what happens on boards whose spec has "feed": a line for each event, and with --json an object a line. It begins with the oldest
event that is there, goes on until it is interrupted, and ends with 0 then. A position of --json continues where that event ended. With --addr
it takes one --member at most.

Kinds: ` + strings.Join(kinds, ", ") + ".",
		Example: `  zrank follow --dir data --board arena --kind overtaken,leader
  zrank follow --addr http://127.0.0.1:8080 --from end
  zrank follow --dir data --json --once --from 8c1f0e2ab14d9a77-120-2`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	f.at.Flags(c)
	fs := c.Flags()
	fs.StringSliceVar(&f.boards, "board", nil, "events of these boards only")
	fs.StringSliceVar(&f.windows, "window", nil, "events of these windows only")
	fs.StringArrayVar(&f.members, "member", nil, "events about this member only; may be given several times")
	fs.StringSliceVar(&f.kind, "kind", nil, "events of these kinds only")
	fs.StringVar(&f.from, "from", "", `position behind which to begin; "end": only what happens from now on (default: the oldest event)`)
	fs.BoolVar(&f.json, "json", false, "write one JSON object a line")
	fs.BoolVar(&f.once, "once", false, "end behind the last event that is there")
	return c
}

// filter parses the flags that choose events. Errors: Errors of package flags.
func (f *followFlags) filter() (x feed.Filter, err error) {
	x.Boards, x.Windows = f.boards, f.windows
	for _, text := range f.members {
		member, err := flags.ParseMember(text)
		if err != nil {
			return x, err
		}
		x.Members = append(x.Members, member)
	}
	for _, name := range f.kind {
		k, err := feed.ParseKind(name)
		if err != nil {
			return x, flags.Wrong(err)
		}
		x.Kinds = append(x.Kinds, k)
	}
	return x, nil
}

func (f *followFlags) run(c *cobra.Command) error {
	filter, err := f.filter()
	if err != nil {
		return err
	}
	var after feed.Position
	if f.from != "end" {
		if after, err = feed.ParsePosition(f.from); err != nil {
			return flags.Wrong(err)
		}
	}
	return f.at.Open(func(d target.Boards) (err error) {
		ctx, out := c.Context(), c.OutOrStdout()
		switch {
		case f.from == "end" && f.once:
			return nil
		case f.from == "end":
			return f.print(ctx, out, d.FeedNew(ctx, filter))
		case f.once:
			return f.print(ctx, out, d.Events(ctx, after, filter))
		}
		return f.print(ctx, out, d.Feed(ctx, after, filter))
	})
}

// print writes events until they end, or the command is interrupted.
func (f *followFlags) print(ctx context.Context, w io.Writer, all iter.Seq2[feed.Event, error]) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for e, err := range all {
		if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
			return nil
		}
		if err != nil {
			return err
		}
		if f.json {
			err = enc.Encode(e)
		} else {
			_, err = fmt.Fprintln(out, eventText(&e))
		}
		if err = errors.Join(err, out.Flush()); err != nil {
			return err
		}
	}
	return nil
}

// eventText returns an event as a line for people.
func eventText(e *feed.Event) string {
	words := []string{e.At.Format(time.RFC3339), show.Printable(e.Board)}
	add := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	if e.Window != "" {
		add("%s %s", show.Printable(e.Window), show.Printable(e.Period))
	}
	add("%v", e.Kind)
	for _, x := range []struct{ word, name string }{{"", e.Member}, {"by ", e.By}, {"other ", e.Other}, {"", e.Groups}, {"", e.Group}, {"award ", e.Award}} {
		if x.name != "" {
			add("%s%s", x.word, show.Printable(x.name))
		}
	}
	for _, x := range []struct {
		word string
		n    int
	}{{"rank", e.Rank}, {"before", e.Before}, {"count", e.Count}, {"entry", int(e.Audit)}} {
		if x.n != 0 {
			add("%s %d", x.word, x.n)
		}
	}
	if e.Score.Len() > 0 {
		add("score %v", e.Score)
	}
	if e.Was.Len() > 0 {
		add("was %v", e.Was)
	}
	return strings.Join(words, "  ")
}
