package view

import (
	"fmt"
	"net/url"
)

// link returns the URL of a page with parameters: a name and a value each. Those whose value is "", 0 or false are left out. Names of members are as name
// writes them, so that a URL and a form have the same text.
func link(page string, pairs ...any) (string, error) {
	if len(pairs)%2 != 0 {
		return "", fmt.Errorf("view: the parameters of a link to %s are no pairs", page)
	}
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		switch value := pairs[i+1]; value {
		case "", 0, false, nil:
		default:
			q.Add(fmt.Sprint(pairs[i]), fmt.Sprint(value))
		}
	}
	if len(q) == 0 {
		return page, nil
	}
	return page + "?" + q.Encode(), nil
}
