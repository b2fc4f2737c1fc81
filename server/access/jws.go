package access

import (
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/golang-jwt/jwt/v5"
)

const (
	// MaxCredential is the length of the longest secret, token and ticket, in bytes. Longer ones are refused before they are read.
	MaxCredential = 8 << 10
	// MaxMember is board.MaxMember, the length of the longest member in bytes.
	MaxMember = 1 << 10
	// minHMAC is the length of the shortest key of HS256, in bytes: that of its hash, as RFC 7518 section 3.2 demands.
	minHMAC = 32
	// ticketType is the header "typ" of tickets, and ticketAudience their only audience. No player token has either.
	ticketType     = "zrank-ticket+jwt"
	ticketAudience = "zrank:ticket"
)

// isCompact reports whether a text may be a token or a ticket: three parts of base64url with dots between them, of bounded length. Go's decoder
// of base64 ignores line breaks, so that a text with some would be a second text of the same token.
func isCompact(text string) bool {
	if len(text) > MaxCredential || strings.Count(text, ".") != 2 {
		return false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return true
}

// isText reports whether JSON carries a text unchanged: it is UTF-8 and does not have the replacement character. Decoders put that where they find
// what is no UTF-8: two such texts, and so two members, would become one.
func isText(s string) bool { return !strings.ContainsRune(s, utf8.RuneError) }

// isMember reports whether a text can be the member of a token or ticket.
func isMember(s string) bool { return s != "" && len(s) <= MaxMember && isText(s) }

// checkHeader refuses headers that change what a token is: a type that is not one of these ("" is none), and "crit", whose extensions we do not
// know (RFC 7515 section 4.1.11).
func checkHeader(header map[string]any, types ...string) error {
	if _, has := header["crit"]; has {
		return errors.New("header crit is not supported")
	}
	typ, has := header["typ"]
	if !has {
		typ = ""
	}
	for _, want := range types {
		if s, ok := typ.(string); ok && strings.EqualFold(s, want) {
			return nil
		}
	}
	return errors.New("header typ is of another kind")
}

// checkDates refuses dates that are outside the years 1970 to 9999, where conversions of numbers to times are not defined.
func checkDates(dates ...*jwt.NumericDate) error {
	for _, d := range dates {
		if d != nil && (d.Before(time.Unix(0, 0)) || d.UTC().Year() > 9999) {
			return errors.New("a date is out of range")
		}
	}
	return nil
}
