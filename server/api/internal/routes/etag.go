package routes

import (
	"context"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/board/window"
)

// Match is the condition of a read.
type Match struct {
	IfNoneMatch string `header:"If-None-Match" doc:"An ETag: if it is that of the answer, the answer is 304 without a body."`
}

// tagHeader describes the ETag of answers.
var tagHeader = map[string]*huma.Param{"ETag": {Schema: &huma.Schema{Type: huma.TypeString},
	Description: "Of a read of a live or closed ranking: changes whenever the answer may have changed."}}

// tag returns the ETag of a read, and whether the caller has its answer. The tag changes with every commit of the store, with the live period, and with every
// Router: after a crash, numbers of commits that were lost are used again. "" for rankings of the past, and if the store does not number its commits.
func (r *Router) tag(ctx context.Context, l *ops.Locator, ifNoneMatch string) (tag string, same bool) {
	if l.IsPast() {
		return "", false
	}
	text := r.Opening[:]
	if b, err := r.Boards.Board(ctx, l.Board); err == nil {
		if live, err := b.Live(ctx, l.Window); err == nil {
			info, _ := live.Info(ctx) // the read of the answer returns an error again
			text = append(text, info.Period...)
			if isRolling(b, l.Window) {
				_, _ = live.Len(ctx) // what has left by now leaves by a commit; the read of the answer returns an error again
			}
		}
	}
	last, err := r.Boards.LastCommit(ctx)
	if err != nil {
		return "", false
	}
	tag = `"` + strconv.FormatUint(xxhash.Sum64(binary.BigEndian.AppendUint64(text, last)), 36) + `"`
	return tag, matches(ifNoneMatch, tag)
}

// isRolling reports whether a window of a board is a rolling one.
func isRolling(b board.Board, name string) bool {
	return slices.ContainsFunc(b.Spec().Windows, func(w board.Window) bool { return w.Name == name && w.Kind == window.Rolling })
}

// matches reports whether a header If-None-Match has a tag, also in its weak form, or is *.
func matches(header, tag string) bool {
	for part := range strings.SplitSeq(header, ",") {
		part = strings.TrimPrefix(strings.TrimSpace(part), "W/")
		if part == tag || part == "*" {
			return true
		}
	}
	return false
}
