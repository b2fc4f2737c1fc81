// Package archive writes boards to files as lines of JSON, and makes boards of such files: to look at everything that a board has, to keep it beside the store, and to
// move it into another one.
//
//	err := archive.Write(ctx, file, boards, "arena", archive.Options{})
//	report, err := archive.Read(ctx, file, others, archive.Options{})
//
// # The lines
//
// A file has boards and kinds of groups. Each line is an object, and what it is follows from its first field:
//
//	{"board":{…},"format":1}                                      the spec of a board, which begins here
//	{"window":"week","through":"2026-11-23T00:00:00Z"}            a window, and up to when it is closed
//	{"best":"ada","rank":1}                                       the best rank of a member in the window
//	{"tiered":"ada","tier":1}                                     the tier of a member in the leagues of the window, unless it is the lowest, 0
//	{"period":"2026-W47","start":…,"end":…,"closedAt":…}          a period of the window; without closedAt it is open
//	{"member":"ada","score":[15],"reached":…}                     an entry of the period, best first; "hidden" ones are among the others
//	                                                              in rolling windows it has the results that have not left
//	{"cohort":"ada","tier":1,"number":2,"outcome":"up"}           in which cohort of the period a member is, and what has become of it; tier 32: it queues for one
//	{"points":"ada","base":{"group":"owls","score":5},"left":[…]} in an open period of a board of groups whose points do not follow the members: what of the member's
//	                                                              score does not count for its group, and what it has left to others
//	{"settlement":{…}}                                            what the period awards
//	{"award":"ada","place":0,"rank":1,"due":[0],"granted":[0]}    an award of it: indices of the tiers of the settlement
//	{"standing":"eve","banned":true}                              what operators have said of a member
//	{"audit":{…},"places":[…]}                                    an entry of the audit log
//	{"once":"duel-17","at":…}                                     a Once key, and when it was used
//	{"ended":"arena","lines":17}                                  the end of the board, and how many lines it has, this one included
//
//	{"groups":"guild","format":1}                                 a kind of groups, which begins here: see WriteGroups
//	{"group":"wolves","created":…,"meta":…}                       a group of it
//	{"joined":"ada"}                                              a member of the group
//	{"ended":"guild","lines":4}                                   the end of the kind
//
// A spec may leave out what has a default. Times are in UTC, to the microsecond. Names that are no UTF-8 are "base64:" and base64; so are those that begin with that. Metadata is base64.
//
// # What it promises
//
//   - AR1: a board that is made of a file has the same rankings in the same order as the one that was written, equals too; closed periods are closed, awards that
//     were granted are granted. Written again, it is the same file, byte for byte, if nothing has happened on it.
//   - AR2: Read makes a board, or a kind of groups, whole or not at all. A file that is cut off, or that has a line that cannot be, leaves nothing of the one that it is in, and the
//     error has the line. Those before it stay.
//   - AR3: Read never takes more memory than the boards need, whatever the file claims: a line is at most MaxLine bytes.
//   - AR4: Write refuses a board that changes while it is written, or makes changes wait: see Options.Hold.
//
// # What is left out
//
// The journal, baselines, who watches whom, and bans of erased members are left out: ErrLeftOut, unless Options.Partial. The feed begins anew.
//
// A derived board is made where its groups and the board that it follows are already, from the same file or before: else board.ErrNoGroups, board.ErrNoBoard. A kind of groups that the
// boards have stays as it is. Where groups or scores are others than they were, open periods have the scores that follow from them: what members have left to groups that are not there is left out.
//
// # Where things are
//
//	write.go    Write, WriteGroups
//	read.go     Read
//	making.go   boards and kinds of groups that are made of lines
//	counts.go   how many lines there are of each kind
//	lines.go    the text of a line
//	options.go  Options, Report, errors
package archive
