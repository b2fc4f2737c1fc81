package mapping

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board/window"
)

// The placeholders of keys.
const (
	placePeriod = "period"
	placeWeek   = "week"
	placeDate   = "date"
	placeUnix   = "unix"
	placeMillis = "unixms"
	placeAny    = "any"
	placeName   = "name"
)

var placeholder = regexp.MustCompile(`\{([^{}]*)\}`)

// compileKey makes the pattern of a key.
func (r *Rule) compileKey() error {
	if r.Key == "" {
		return fmt.Errorf("mapping: key is missing")
	}
	text, last, names := "", 0, 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(r.Key, -1) {
		text += regexp.QuoteMeta(r.Key[last:m[0]])
		last = m[1]
		name, layout, _ := strings.Cut(r.Key[m[2]:m[3]], ":")
		if name == placeAny {
			text += ".*"
			continue
		}
		if name == placeName {
			if names++; names > 1 {
				return fmt.Errorf("mapping: key %q has {name} twice", r.Key)
			}
			text += `(?P<name>.+)`
			continue
		}
		if r.kind != "" {
			return fmt.Errorf("mapping: key %q has more than one placeholder of a period", r.Key)
		}
		switch name {
		case placePeriod:
			text += `(?P<period>[0-9A-Za-z_:-]+)`
		case placeWeek:
			text += `(?P<period>[0-9]{4}-?W?[0-9]{1,2})`
		case placeDate:
			if layout == "" {
				return fmt.Errorf("mapping: key %q: {date} has no layout, such as {date:20060102}", r.Key)
			}
			text += `(?P<period>.+)`
		case placeUnix, placeMillis:
			text += `(?P<period>[0-9]+)`
		default:
			return fmt.Errorf("mapping: key %q: {%s} is unknown, want period, week, date:LAYOUT, unix, unixms, name or any", r.Key, name)
		}
		r.kind, r.layout = name, layout
	}
	text += regexp.QuoteMeta(r.Key[last:])
	switch {
	case names > 0 && !r.Names():
		return fmt.Errorf("mapping: key %q has {name}, and board does not: {any} is text that does not matter", r.Key)
	case names == 0 && r.Names():
		return fmt.Errorf("mapping: board %q has {name}, and key does not", r.Board)
	}
	var err error
	r.pattern, err = regexp.Compile(`(?s)\A` + text + `\z`)
	return err
}

// Only returns the period of a window that has one only: of the kinds all and event, or of seasons if there is one.
func Only(c *window.Calendar) (p window.Period, ok bool) {
	if p, err := c.Parse("all"); err == nil && p.Start.IsZero() {
		return p, true
	}
	if p, ok = c.Next(window.Period{}); !ok {
		return p, false
	}
	_, more := c.Next(p)
	return p, !more
}

// Period returns the period of a window that a key names; text is the text of its placeholder. Without one, the window has one period only.
func (r *Rule) Period(c *window.Calendar, text string) (window.Period, error) {
	switch r.kind {
	case "":
		p, _ := Only(c)
		return p, nil
	case placeWeek:
		digits := strings.NewReplacer("-", "", "W", "").Replace(text)
		week, err := strconv.Atoi(digits[4:])
		if err != nil {
			return window.Period{}, err
		}
		return c.Parse(fmt.Sprintf("%s-W%02d", digits[:4], week))
	case placeDate:
		t, err := time.ParseInLocation(r.layout, text, c.Zone())
		if err != nil {
			return window.Period{}, err
		}
		return c.At(t)
	case placeUnix, placeMillis:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return window.Period{}, err
		}
		if r.kind == placeMillis {
			return c.At(time.UnixMilli(n))
		}
		return c.At(time.Unix(n, 0))
	}
	return c.Parse(text)
}
