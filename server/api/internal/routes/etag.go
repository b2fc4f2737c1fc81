package routes

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/zrankdb/zrank/server/internal/features"
)

// conditional is the input of a read that has an ETag.
type conditional interface {
	etag() (name, ifNoneMatch string, ok bool)
}

// tag returns the ETag of a read, and whether the caller has its answer. The tag changes with every commit of the store, and with the live period. "" if the
// store does not number its commits.
func (r *Router) tag(c conditional) (tag string, same bool) {
	window, ifNoneMatch, ok := c.etag()
	if !ok {
		return "", false
	}
	f, err := features.Of[features.Feeds](r.Boards, "")
	if err != nil {
		return "", false
	}
	end, err := f.FeedEnd()
	if err != nil {
		return "", false
	}
	text := binary.BigEndian.AppendUint64(nil, end.Commit)
	if b, ok := c.(onBoard); ok {
		if lb, err := r.Boards.Board(b.boardName()); err == nil {
			if live, err := lb.Live(window); err == nil {
				text = append(text, live.Info().Period...)
			}
		}
	}
	tag = `"` + strconv.FormatUint(xxhash.Sum64(binary.BigEndian.AppendUint64(text, end.Store)), 36) + `"`
	return tag, matches(ifNoneMatch, tag)
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
