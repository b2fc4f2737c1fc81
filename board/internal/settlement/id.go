package settlement

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/board/awards"
)

// id is what the id of an award names. Neither another revision of the award nor another name of its member changes it: see names.
type id struct {
	board, window, period, name string

	revision uint64 // in ids of earlier versions that of the award by then, else 1
}

// revisionInID stands where ids of earlier versions have the revision of the award: an award of the first revision has the same id as there.
const revisionInID = "1"

// String returns the id: its parts, escaped as in a URL, with slashes between them.
func (i id) String() string {
	return strings.Join([]string{url.PathEscape(i.board), url.PathEscape(i.window), url.PathEscape(i.period), revisionInID, url.PathEscape(i.name)}, "/")
}

// parseID is the inverse of String. It also takes parts that are escaped where they need not be, and any revision from 1. Error: awards.ErrNoAward.
func parseID(text string) (i id, err error) {
	list := strings.Split(text, "/")
	if len(list) == 5 {
		for k, part := range []*string{&i.board, &i.window, &i.period, nil, &i.name} {
			if part == nil {
				i.revision, err = strconv.ParseUint(list[k], 10, 32)
			} else if err == nil {
				*part, err = url.PathUnescape(list[k])
			}
			if err != nil {
				break
			}
		}
		if err == nil && i.revision > 0 {
			return i, nil
		}
	}
	return id{}, fmt.Errorf("%w: %.100q is no id of one", awards.ErrNoAward, text)
}
