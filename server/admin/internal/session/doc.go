// Package session is who is signed in to the pages: sessions by a cookie, and tokens that forms carry.
//
// # What it promises
//
//   - SE1: a session has a new random name each time somebody signs in: who has made up a name, or has seen one from before, has no session by it.
//   - SE2: the store knows hashes of names, in memory only. A restart ends all sessions.
//   - SE3: a session ends after Idle without a request, after Longest in any case, and when its owner signs out.
//   - SE4: a form counts only with the token of its session. The token looks different on each page, so that compressed answers do not tell it.
//   - SE5: there are at most Most sessions: the one that was unused for longest goes first.
//
// # Where things are
//
//	store.go  Store: sessions
//	token.go  tokens of forms
package session
