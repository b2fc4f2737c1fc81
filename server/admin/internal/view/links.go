package view

import (
	"fmt"
	"net/url"
)

// link returns the URL of a page with parameters: a name and a value each. Those whose value is empty, zero or false are left out. Names of members may be
// any bytes.
func link(page string, pairs ...any) (string, error) {
	if len(pairs)%2 != 0 {
		return "", fmt.Errorf("view: the parameters of a link to %s are no pairs", page)
	}
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		name, value := fmt.Sprint(pairs[i]), fmt.Sprint(pairs[i+1])
		if value != "" && value != "0" && value != "false" {
			q.Add(name, value)
		}
	}
	if len(q) == 0 {
		return page, nil
	}
	return page + "?" + q.Encode(), nil
}
