// Package admin is the pages by which an operator looks at boards in a browser: an http.Handler that a game server mounts in one line. Everything that a
// browser needs is in the program.
//
//	h, err := admin.New(boards, admin.Options{Local: boards, Keys: []access.Key{{Name: "ada", Secret: secret, Rights: access.Moderate}}})
//	http.Handle("/admin/", http.StripPrefix("/admin", h))
//
// There are the boards with their players, periods and sizes; rankings that move while one looks; members with their places, awards and groups; what closed
// periods have paid; the feed; the engine's health; queues and limits; and the audit log.
//
// # Who may do what
//
// Without a session a reader may look, if Options.Open lets it, and change nothing. Somebody who signs in with the name and the secret of a key has what the
// rights of the key allow: Read to look, Moderate to ban, hide, rename, merge and erase members and to read the audit log, All to migrate boards. The same keys
// serve for package api. A key that is limited to boards sees those only.
//
// # What it promises
//
//   - AD1: nothing changes but by a form that was sent from a page of the handler, by somebody who is signed in and whose key may do it. Each change of a member
//     has a reason, and is in the audit log under the name of the key.
//   - AD2: whatever names of members, boards and groups are, they are text.
//   - AD3: a page asks no other host for anything, and runs no script and no style but the handler's own.
//   - AD4: a page reads O(log n) of what it shows. What open pages read again takes at most a fiftieth of one processor together: then they move more slowly.
//   - AD5: pages that are open go on after a restart of the server. Those who were signed in must sign in again: sessions are in memory. A page gets
//     nothing more when the session ends in which it was opened.
//
// # Where things are
//
//	admin.go    New
//	handler.go  Handler
//	options.go  Options
//	serve.go    pages and their moving parts
//	forms.go    what is sent by forms: signing in and out, actions, migrations
//	viewer.go   who looks
//	headers.go  headers of every answer
//	internal/pages    what the pages show
//	internal/view     the pages as HTML, style sheets and scripts
//	internal/session  who is signed in
//	internal/figures  figures over time, and how much the pages may take
package admin
