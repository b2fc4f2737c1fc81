package session

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/zrankdb/zrank/server/access"
)

const (
	// Idle is how long a session lasts without a request.
	Idle = 30 * time.Minute
	// Longest is how long a session lasts.
	Longest = 12 * time.Hour
	// Most is how many sessions a user has at a time: one more ends the one that was unused for longest.
	Most = 50
)

const nameBytes = 32

// Session is somebody who is signed in.
type Session struct {
	Who   access.Principal
	token [nameBytes]byte // of forms
	began time.Time
	used  time.Time // under the store's lock
	over  bool      // signed out, or forgotten; under the store's lock
	said  string    // what the next page tells; under the store's lock
}

// Store is sessions. Any goroutine may use it.
type Store struct {
	clock  func() time.Time
	random io.Reader

	mu  sync.Mutex
	all map[[sha256.Size]byte]*Session // by the hash of the name
}

// New returns a store without sessions. random must be good for secrets.
func New(clock func() time.Time, random io.Reader) *Store {
	return &Store{clock: clock, random: random, all: map[[sha256.Size]byte]*Session{}}
}

// cookieName is the cookie of a request's server: cookies do not tell ports apart, and several servers of one machine must not sign one another out.
func cookieName(r *http.Request) string {
	_, port, _ := strings.Cut(r.Host[strings.LastIndexByte(r.Host, ']')+1:], ":")
	return "zrank_session_" + port
}

// Begin signs a caller in: the response gets the cookie, of the folder that the request is in. Errors: those of the random numbers.
func (s *Store) Begin(w http.ResponseWriter, r *http.Request, who access.Principal, secure bool) error {
	var name [nameBytes]byte
	now := s.clock()
	x := &Session{Who: who, began: now, used: now}
	for _, b := range [][]byte{name[:], x.token[:]} {
		if _, err := io.ReadFull(s.random, b); err != nil {
			return err
		}
	}
	s.End(w, r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prune(now, who)
	s.all[sha256.Sum256(name[:])] = x
	http.SetCookie(w, cookie(r, base64.RawURLEncoding.EncodeToString(name[:]), secure))
	return nil
}

// cookie returns the cookie of a session. It has no path: browsers take the folder of the request, whatever the pages are mounted at. It ends with the
// browser.
func cookie(r *http.Request, value string, secure bool) *http.Cookie {
	return &http.Cookie{Name: cookieName(r), Value: value, HttpOnly: true, Secure: secure, SameSite: http.SameSiteStrictMode}
}

// prune forgets sessions that have ended, and makes room for one of a user, at the cost of that user alone. The caller holds mu.
func (s *Store) prune(now time.Time, who access.Principal) {
	var oldest [sha256.Size]byte
	var used time.Time
	own := 0
	for key, x := range s.all {
		switch {
		case x.ended(now):
			s.forget(key)
		case x.Who.ID() == who.ID():
			if own++; used.IsZero() || x.used.Before(used) {
				oldest, used = key, x.used
			}
		}
	}
	if own >= Most {
		s.forget(oldest)
	}
}

// forget ends a session. The caller holds mu.
func (s *Store) forget(key [sha256.Size]byte) {
	if x := s.all[key]; x != nil {
		x.over = true
		delete(s.all, key)
	}
}

func (x *Session) ended(now time.Time) bool {
	return now.Sub(x.used) >= Idle || now.Sub(x.began) >= Longest
}

// Of returns the session of a request, nil for none.
func (s *Store) Of(r *http.Request) *Session {
	key, ok := keyOf(r)
	if !ok {
		return nil
	}
	now := s.clock()
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.all[key]
	if x == nil {
		return nil
	}
	if x.ended(now) {
		s.forget(key)
		return nil
	}
	x.used = now
	return x
}

// Lasts reports whether a session goes on, for what has begun in it. Asking is no use of it.
func (s *Store) Lasts(x *Session) bool {
	now := s.clock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return !x.over && !x.ended(now)
}

// keyOf returns the hash of the name that a request presents.
func keyOf(r *http.Request) (key [sha256.Size]byte, ok bool) {
	c, err := r.Cookie(cookieName(r))
	if err != nil {
		return key, false
	}
	name, err := base64.RawURLEncoding.DecodeString(c.Value)
	return sha256.Sum256(name), err == nil && len(name) == nameBytes
}

// Say leaves a text for the next page of a session.
func (s *Store) Say(x *Session, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x.said = text
}

// Said returns the text that was left for the page, once.
func (s *Store) Said(x *Session) (text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, x.said = x.said, ""
	return text
}

// End signs a request's session out, if there is one.
func (s *Store) End(w http.ResponseWriter, r *http.Request) {
	key, ok := keyOf(r)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(key)
	gone := cookie(r, "", false)
	gone.MaxAge = -1
	http.SetCookie(w, gone)
}
