package routes

import (
	"context"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// conditional is the input of a read that has an ETag.
type conditional interface {
	etag() (name, ifNoneMatch string, ok bool)
}

// tag returns the ETag of a read, and whether the caller has its answer. The tag changes with every commit of the store, with the live period, and with every
// Router: after a crash, numbers of commits that were lost are used again. "" if the store does not number its commits.
func (r *Router) tag(ctx context.Context, c conditional) (tag string, same bool) {
	name, ifNoneMatch, ok := c.etag()
	if !ok {
		return "", false
	}
	text := r.Opening[:]
	if b, ok := c.(onBoard); ok {
		if lb, err := r.Boards.Board(ctx, b.boardName()); err == nil {
			if live, err := lb.Live(ctx, name); err == nil {
				info, _ := live.Info(ctx) // the read of the answer returns an error again
				text = append(text, info.Period...)
				if isRolling(lb, name) {
					_, _ = live.Len(ctx) // what has left by now leaves by a commit; the read of the answer returns an error again
				}
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
