// Package board is what a leaderboard is, wherever it is kept: who scored what, who leads now, this week and of all time, and who is number 4,711. It has the
// types, the errors and the interfaces of boards; pure functions, and no store. Three packages keep boards: board/local in an engine, board/cluster on a Redis or
// Valkey cluster, and board/remote on a server.
//
//	boards, err := local.Open(e, local.Options{})
//	defer boards.Close()
//	arena, err := boards.Define(ctx, board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Week}})
//	change, err := arena.Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(15)})
//	week, err := arena.Live(ctx, "week")
//	top, err := week.Top(10)
//
// # Terminology
//
//   - score: one to 32 numbers, the columns, each ranked up or down; the first decides, then the second. See package rules.
//   - submission: a member's result, and when it happened.
//   - operator: how a submission is combined with the member's present score: Best, Last, First, Sum, Min or Max; or BestOf, LastOf or
//     DropWorst, which add up some of the results: see "Kept results".
//   - window: how a board is cut in time: all, hour, day, week, month, year, every (a fixed duration), seasons, an event, or rolling. See
//     package window.
//   - rolling: a window of the last hours or days. A result leaves it when it is that old. It has one period, all, which is always live.
//   - period: one run of a window: 2026-W47. It is live from its start to its end. Then it takes late results for the window's grace. After
//     that it is closed, unless a program has closed it before.
//   - late: a submission is late if it happened in a period that has ended.
//   - ranking: the members of one period, best first.
//   - place: a member's number in a ranking, from 1. Each place has one member.
//   - rank: the number that a Mode gives a member. Members of equal score may share a rank.
//   - tie: members of equal score. FirstToReach puts the member first that reached the score earlier, LastToReach the one that reached it
//     later; both compare the submissions' times to the microsecond and then the order of arrival. ByMember compares the members' bytes.
//   - union: one ranking of several, with weights.
//   - journal: the last submissions of a board.
//   - award: what a member gets for a closed period. A plan in the spec says who gets what; to settle a period is to find its winners.
//   - cohort: some members of a period who are promoted and relegated among themselves; tier: one of the steps between which they go.
//   - moderation: what an operator does about a member: Hide, Ban, Revert, Erase, Rename, Merge.
//   - baseline: a copy of a ranking as it was at some moment, under a name, to compare later rankings with.
//   - Once key: the caller's name for a submission, so that a retry of it does nothing.
//
// # What it promises
//
//   - B1: one submission updates every window in one commit, durable as the engine is, or none.
//   - B2: a submission that leaves a member's score as it is never moves the member behind its equals.
//   - B3: a member's score in a period is the operator over that period's submissions, in the order they came, or with Last and First
//     in that of their times; in a rolling window, over those that have not left.
//   - B4: scores and ranks are exact.
//   - B5: no submission changes a closed period, whatever the clock does afterwards: the commit that closes it comes after every commit that changed
//     it. Once its time is up by the engine's clock, a period takes no results, even if it is not closed yet. The closing commit stores a
//     digest of the period's entries, and Check compares the entries with it. Only moderation changes a closed period, by commits that correct the digest
//     and are in the audit log.
//   - B6: periods whose time was up while the process was down are closed when it is up again, in the order of time.
//   - B7: a submission with a Once key counts once, for as long as Spec.OnceFor says, across restarts too.
//   - B8: a result is in a rolling window until the microsecond in which it is as old as the window is long (with buckets, the end of its
//     bucket is), and not longer: no answer shows it afterwards, however late a background task runs.
//   - B9: in a board in parts, Submit counts ranks as of one moment between its commit and its return.
//   - B10: a closed period is settled once, by the plan that the board had when it was closed, also if the process was down then. Each award of it is granted
//     once: what a Delivery or a claimer changes in the transaction happens with it or not at all.
//   - B11: every change of a member by moderation is in the audit log with who, when and why, or it has not happened. Once a ban is acknowledged, no
//     submission of the member counts.
//   - B12: the cohorts of a closed period are settled once, by the rules that the board had when it was closed, also if the process was down then. A member is put
//     into a cohort by the tier that the last period has left it in.
//
// # Moderation
//
// An operator changes what a board has of one member: Hide and Show, Ban and Unban, Revert, Correct, Erase, Rename, Merge. Each call takes an Action, which
// says who does it and why, and has a dry run, which returns what the call would return.
//
//   - The first commit changes all open periods and writes the entry of the audit log. Closed periods follow in commits of up to 32 of them, with their
//     records and with the groups of boards that follow; then what else is stored of the member. If the context ends, or the process, the rest is done in the background: see Jobs.
//   - A dry run makes the changes in transactions that it rolls back. It reads and locks what the call does, and takes about as long.
//   - Changes of closed periods run in the order in which they began. While one is in progress, Rename and Merge of its members return ErrBusy; the other calls
//     begin at once and finish after it. A migration, a closing or a settlement in progress makes a call wait.
//   - Ranks of closed periods close up. With Action.KeepRanks a Ban or Erase leaves the others the ranks that they had, in every mode, and nobody has that of
//     the member: Top(1) may have rank 2. Places, Len and percentiles do not count it. The record of the period keeps the score and the time of such an
//     entry, without the name; of equals in both, those behind it by name count as before it. Migrate drops those whose scores the new spec does not allow.
//   - What a period awards stays as it was settled: Resettle corrects it, by the ranks that the period has then.
//   - The index of members tells which closed periods have a member, at which place: see Member. It is written in the background after a period was closed,
//     and again after its places have changed. Each closed period is read once for it. A submission pays nothing.
//   - Cost: Ban and Erase change closed periods without reading them, unless the board is in parts, has Top or is followed. The next snapshot reads those.
//   - Space: one private key for each member of each closed period, as long as the period is kept.
//   - Erase leaves a salted hash of the name in the audit log. After Engine.Compact no file has the name.
//
// # Rolling windows
//
// Rolling("3h", 3*time.Hour) is a window of the results of the last three hours. Each result leaves it by itself, and changes the member's
// score: a sum falls, and after a best result comes the next best. A member without results is not ranked. Every answer is that of its moment.
//
//   - Operators: Sum in all columns, of int64 without bounds (a count is a sum of ones); Best, Last and First; Min and Max of a single column.
//     Spec.Validate names others.
//   - A sum keeps the time at which it was reached when results leave it. Any other score has the time of its result.
//   - A result that has left by the time of its submission is refused with a *PeriodClosedError, as a late one is. One of the future counts at once.
//   - Space: about 60 bytes for each member beside its entry; a sum takes about 55 bytes for each result with one column, and 8 for each further
//     one. Of the other operators only those results are kept that may yet count: for results in random order a few of each member. With a
//     Bucket, results of a member in one bucket are one.
//   - Cost: O(log n) for each result that leaves, in transactions of at most 256, which the scheduler makes in time. A read or a submission makes
//     those that are due before it; it waits for longer if more than about 200,000 a second leave. On a board that others follow each of
//     them takes about as long as a submission. A member with very many results (from about
//     200,000 on) may be too large for Remove: engine.ErrTooLarge.
//   - After the disk has failed, results cannot leave. A read that finds one due then returns the engine's error.
//   - The results of a hidden member leave as those of others do: Show brings back what is left. Merge adds the results that the window keeps of the first
//     member to those of the other one, each at its time; a sum that would be out of range is an error.
//   - There is no Keep and no Grace. Migrate keeps the results of a rolling window, and refuses other columns, operators and ties for it, and the end of a journal.
//
// # Kept results
//
// BestOf adds up a member's best Spec.K results, LastOf the last K by the time when they happened, DropWorst all but the worst K: then the score
// is 0 until there are more than K. Results are ranked as whole scores, by the order of the columns, and each column is added by itself.
//
//   - A score has the time of the latest result that counts; with DropWorst, that of the latest one that has begun to count. The bounds of a column
//     are those of the sum. A result that would take it out of range is refused, whatever it would displace later.
//   - Space: at most K results for each member and period, 8 bytes each and 8 for each column, beside the entry. They stay until the period is
//     dropped.
//   - Cost: O(K) for each submission. Submissions to such a board happen one after the other, even if it is in parts.
//   - Columns are of int64, perhaps with decimals. There are no rolling windows, and Migrate refuses another operator, K, columns or ties.
//
// # Unions
//
// Boards.Union makes one ranking of several: of periods, seven days into a week; of boards, three modes into one ladder; each with its weight. It
// is computed at each call, of the rankings as they are at one instant. StoreUnion stores it under a name, as a closed ranking that belongs to no board.
//
//   - Combine: Sum, Min, Max or Best, and for each column Sum, Min or Max. Weights may have decimals. Everything is exact; a score that does not
//     fit in its column is an error that names the member and the column.
//   - Sources: live and closed periods, rolling windows, boards with kept results, baselines; stored unions are none.
//   - Cost: O(N + n log n) for N entries and n members, with a copy of each ranking that is not closed, and about 100 bytes for each member.
//
// # Absent and computed columns
//
// A submission may leave out a column with Absent: the value Absent, null in JSON, "-" in text, an empty field in CSV. Such a column ranks members without
// a value first or last. Operators of columns go by the values that were given: absent and 3 add up to 3, and what nobody has given stays absent. Best,
// Last and First take scores as they are. Histogram counts those without a value in the first column in a bin of their own; a Gap to one is Absent.
//
// A column with Of is computed of others, a sum with weights, and may be the first. Submissions do not have it; rankings do, and scores that are
// compared with them may. It is computed after the operator has combined the others. Where it is out of range or bounds the submission is refused.
//
//   - Migrate computes it anew in open periods. Closed periods and baselines keep the values that they have, which the column must be able to hold.
//   - The sums in a rolling window have no such columns, and unions no absent values.
//
// # Last and First
//
// Last and First go by the times of results: of all that have arrived, the one that happened last counts, or first. Of results of one time Last takes
// the one that arrived last, First the one that arrived first. Columns with an operator of their own go by the time of each one's result.
//
//   - A result that repeats the score does not move the member (B2), and is the newest from then on: an older one that comes later does not count.
//   - The time of the result that counts is in the entry, as Reached. Where it differs it is stored under a private key: about 100 bytes for an entry whose
//     last result has repeated the score, for every entry with ByMember, and for most of those with an operator Last or First beside sums. Submissions to a
//     board that has such a key in a window happen one after the other, even if it is in parts. In rolling windows it is stored with the result.
//   - Migrate forgets these times, and goes on with Reached. So do entries of versions that went by the order of arrival. With ByMember there is no
//     Reached: there the next result counts with Last, and none with First.
//
// # Top n
//
// With Spec.Top a ranking has the best N members only, exactly and at every moment, and every member's score is kept. Len, Top, Places, Page, Count and
// the other calls are about the best N. Rank, Score and Card also know the others: their rows have Beyond, the exact score and, in every mode,
// the rank N + 1. So have the rows of a Change, which counts ranks as if all the others were at the place behind the best N.
//
//   - A pinned ranking, a baseline and the ranking of a View have the best N alone: another member is not ranked there. So it is for the calls
//     that need neighbours, such as Around and Gap.
//   - Equal scores that were reached in the same microsecond go by the members' bytes, with FirstToReach and LastToReach too.
//   - The best N and up to Reserve members behind them are one set. The others are in sets of some dozens of members, the buckets, which leave
//     memory one by one under engine.Options.MemoryLimit. When so many scores have fallen that the reserve is used up, the next
//     submission first takes the next best from the buckets: O(log buckets) for each, and after Open a look into every bucket, once.
//   - Space of a member in a bucket: about 31 bytes beside its name, measured with 300,000 members and one column: 17 of them are its score, its
//     time and a length, the rest is free room in the buckets and what the engine needs to find them. With ByMember, which needs no time, 22.
//   - BestRanks keeps the best rank that a member had among the best N. There are no rolling windows. Migrate sets Top, changes it and removes it; not if an operator keeps results.
//
// # Coarse tail
//
// With Top.Segments the members beyond the best N have ranks too, within a bound: rows of Rank, of Card and of a Change have Beyond, and the true rank is from
// Rank - Within to Rank + Within, at the moment of the answer, also while others submit. Members in the reserve have Within 0.
//
//   - The others are divided into segments by their order, and the engine keeps the number of members of each. A rank is that of the middle of the
//     member's segment, so Within is about half of a segment: with 1,000 segments, one in 2,000 of all members. It may grow to some segments where
//     many scores come, until the members have been counted anew. Rows of SubmitAll and of In are wider by the number of changes of their transaction.
//   - Competition and Modified have bounds like Ordinal, but Modified gives equals on both sides of place N ranks N and Unknown. Dense has wide ones: up to the number of members.
//   - Segments are not stored. After Open, Within is Unknown until the first row is asked for and all members have been counted: the scheduler begins within a
//     second and reads 64 buckets at a time, some 10,000 buckets a second in memory. Everything else works meanwhile. A closed period is counted when
//     somebody asks for a rank.
//   - Segments are split when many members come, at once. They are all made anew, by a count of all members, when splits have doubled their number: so scores that
//     move cost a count of all only after about as many submissions as there are members.
//   - Space: about 150 bytes for each segment, of which there are up to twice as many as the spec says; for members what "Top n" says. Measured with 20 million
//     members and 1,000 segments in memory: 49 bytes for each with a name of 20, Within 7,500 on average and 14,300 at most. By that 100 million members take
//     4.9 GB, and 1,000 segments of them 100,000 members each: Within about 50,000, with 16,384 segments about 3,000.
//   - Migrate changes Segments, and converts between boards of everybody, of the best N and of the best N with segments, in open periods. A closed period that is
//     converted keeps all members in order, and has exact ranks.
//
// # Awards
//
// Spec.Awards says what the periods of a window award when they close: tiers of ranks, of the best percent, of everyone from a score on, or of everyone, each
// with a payload that means something to the program only. Package awards has the rules, and says who is in which tier when equals stand across its edge.
//
//	Awards: []awards.Plan{{Window: "week", Tiers: []awards.Tier{{Name: "gold", From: 1, Payload: "500"}, {Name: "played", Everyone: true, Payload: "5"}}}}
//	err := arena.Deliver("week", local.Delivery{Grant: func(ctx context.Context, tx *engine.Tx, a awards.Award) error { ... }})
//
// From then on a period that closes is settled, and its awards are delivered:
//
//   - The commit that closes a period stores the plan with it. A goroutine of Open then settles the period: it reads the frozen ranking and stores an award
//     for each winner. Then it delivers them, of the earliest period first: it calls Grant for each, in the transaction that stores it as granted (B10). After
//     a crash it goes on where it was.
//   - Outside the store nothing happens exactly once. Award.ID and Award.Revision stay the same when Grant is called again, so that a payment service, say, can
//     leave out the second call. A Resettle that changes what is due gives the award another Revision and leaves the ID; a Rename leaves both. IDs that earlier
//     versions have given out still name their awards.
//   - Grant pays Award.Owed: after a Resettle a member with silver that gets gold is owed the difference. Payloads that are no whole numbers have no Owed:
//     Grant compares Tiers and Had.
//   - An award that fails, or whose Grant panics, is tried again after a second, two, four, up to an hour; the others go on. Awards lists the failures.
//     Withhold ends the attempts for one, and Release begins again.
//   - With Claim members collect their awards: Claimable, Claim, InTx.Claim. Expires says until when.
//   - Resettle settles a closed period again, without some members or by another plan, and grants what is missing. What was granted too much stays, and is listed.
//   - A window drops no period whose awards have not been delivered, whatever its Keep, unless the plan has DropUndelivered. Awards to claim outlive their
//     period, until all are claimed or have expired. Usage.Waiting and Settlements tell how many wait.
//   - Migrate settles closed periods first; a spec that differs in Awards only rewrites no ranking. It refuses to remove a window with awards that wait.
//   - On a board of the best n, tiers of ordinal or modified ranks up to n are settled from the best alone. For any other plan all members are copied to memory
//     while the period is settled, and have exact ranks. The windows All and Rolling never close, and award nothing.
//   - Space: about 55 bytes for an award of a member with a name of 20, name and all; they are evicted like a closed period. Cost: about a microsecond for a winner
//     to settle, 5 for a claim, 10 for an award to deliver. The goroutine rests as long as it works, so that others have the processor.
//
// # Leagues
//
// Spec.Leagues puts the members of each period of a window together in cohorts of up to Size, and moves them between tiers:
//
//		Leagues: &board.Leagues{Window: "week", Tiers: []string{"bronze", "silver", "gold"}, Size: 50, Up: 5, Down: 5}
//		league, err := arena.League("ada") // the cohort, with places and zones
//
//	  - The first submission of a member in a period puts it into a cohort, in the same commit: into the last one of its tier, and of the band of
//	    Submission.Skill, or into a new one if that is full. It stays there, also if it is removed, hidden or banned: then it is not ranked among the others.
//	  - When the period is closed, a goroutine of Open settles the cohorts, one in each commit: of its ranked members the best Up are promoted, and the last Down
//	    relegated, by the order of the ranking. The best Up are never relegated: of few members fewer are. Nobody leaves the highest tier upwards, or the lowest
//	    downwards. Members in no cohort keep their tier.
//	  - A member that submits in the next period before its cohort is settled has that settled first, by its submission. So nobody waits for the others, and
//	    after downtime periods are settled in order (B12).
//	  - With a Grace the next period begins while late results may still move members between tiers. Until the earlier period is closed, members of the next one
//	    are ranked, and queue for a cohort: League returns ErrNoCohort. When the cohorts of the earlier one are settled, the same goroutine puts them into cohorts, in the
//	    order of their first submissions in the period, up to 64 in each commit. So it is with a member that comes while others queue. A grace as long as the period makes members
//	    queue until their period is over.
//	  - A window drops no period whose cohorts are not settled, whatever its Keep. Check compares the cohorts with their size and tiers, and looks for members that are in none.
//	  - Rename and Merge settle closed periods first, and move the member's places and its tier; after a Merge the other member has its own places, and the higher
//	    tier. Erase removes both. A closed period that Correct or Revert changes later is not settled again: see SetTier.
//	  - With Top members beyond the best n count too, by their order. Migrate gives a board leagues, and puts the members of open periods into cohorts of their tiers, by rank. It takes leagues away: then cohorts are
//	    deleted, and tiers stay for leagues of the window that come again. It can make Size larger and add tiers, and change Up and Down from the next closing on.
//	  - Space: an entry of a set for each member of a period, about 40 bytes with a name of 20, and one for each member above the lowest tier.
//
// # Groups
//
// DefineGroups makes a kind of groups, guilds or countries. A member is in one group of a kind at most, and may be in one of each kind. A board with Spec.Derived is
// one of groups: its members are the groups, and their scores follow those of their members on another board.
//
//		guilds, err := boards.DefineGroups(ctx, "guild")
//		ladder, err := boards.Define(ctx, board.Spec{Name: "arena/guilds", Derived: &board.Derived{From: "arena", Groups: "guild"}})
//		err = guilds.Create(ctx, "wolves", nil)
//		err = guilds.Join(ctx, "ada", "wolves")
//
//	  - A group's score changes in the commit that changes that of its member, by a submission, a removal, moderation, or because the member joins or leaves. A transaction
//	    that reads both sees both.
//	  - Where boards are kept in the program, a transaction founds, joins, leaves and dissolves groups, in one commit with boards and the program's own keys: see zrank.Tx.
//	  - Columns: those of the members' board, of the first only if that is derived, then members, the number of members that have a score. GroupAverage has average, members,
//	    total; GroupCount has members only. Sums and averages need columns of int64 that are never absent. A submission or a Join that would take
//	    a sum out of range is refused.
//	  - Windows: those of the members' board, or those that the spec names. Their periods close right after those of the members, also by
//	    CloseNow. A window may have another Keep. A board with Top, in parts, or with Points other than Follow has no rolling windows.
//	    Define of a board that is there keeps its windows, unless the spec names some. Awards, unions, baselines and metadata are as of
//	    any other board; submissions and moderation return ErrDerived.
//	  - Points says what joining and leaving do: see Follow, Stay, SinceJoining. The last two say so for each open period: a member that comes in the middle of a week
//	    brings nothing of that week, and all of the next one counts. With Stay the column members also counts those who have left points.
//	  - Hidden, banned, erased and removed members are not ranked, so they do not count, in open periods. Merge moves points to the group of the other member: what has not counted
//	    of either (with Stay and SinceJoining) does not count then, where results are added up.
//	    A player with another name has it in the group by Groups.Rename and on a board by Board.Rename, in either order: its points stay with the group. What a member
//	    who is removed has left to other groups, with Stay, stays there.
//	  - A closed period of groups follows what moderation does to that of the members, by the same commit and by who was in which group when it was closed: Ban, Hide,
//	    Revert, Correct, Merge and Erase, in alliances too. Rename leaves the points with the group. Joining, leaving and Dissolve change no closed period. A group whose sum
//	    would be out of range keeps its score, and a period in which no group was ranked stays without groups.
//	  - Nobody knows who was in which group in periods that an earlier version has closed, or that come with a board from an archive or another store: these stay as they were closed.
//	  - In a rolling window a group has at every moment the score of what is left of its members' results. The commit that removes a
//	    result changes the groups too, and their scores have the time at which it has left. A sum or an average that is out of range is
//	    at that end of the range until it is back: nothing is refused for it.
//	  - A derived board may follow a derived one, with groups of another kind: guilds in alliances.
//	  - Cost: a look at memory for the member's group, and one entry for each board and window. GroupBestOf looks up all members of the group, GroupBest does so when the
//	    best member falls: with these two a submission to a board of members in parts locks all of its parts. A board of groups may have Top, Parts or PartMembers itself; if it
//	    is one set, submissions to all boards that it follows come one after the other.
//	    Moderation of a closed period locks and reads the rankings of groups that follow it, which are indexed again in the background; of members too with GroupBest and GroupBestOf.
//	  - Space: an entry for each group and period; for a member in a group about 30 bytes beside its name in memory, and a private key. A member that joins or leaves after a
//	    period was closed has a private key more, of about 15 bytes for each window of each board of such groups and each such period in which it does so, and one for the group that it has
//	    left. They stay as long as the period is kept. Closing writes nothing for it.
//	  - Define computes the open periods of a new derived board from its source; submissions wait meanwhile. Migrate of the source gives its followers, by
//	    the same commit, the windows that change, such as further seasons, and refuses what they cannot follow: other columns, the end of a window that they have. Drop refuses
//	    a board that others follow. Migrate of a derived board computes the windows that it gets right after its commit, and again if it
//	    is called again.
//	  - Boards.Check computes all scores again. Rebuild corrects open periods, and RebuildPeriod a closed one, by who was in which group then. Where nobody knows that, Check has Notes,
//	    and RebuildPeriod goes by the present members.
//
// # Journal
//
// With Spec.Journal a board keeps its last submissions, as many as that says, in the commit of each: who submitted what, when it arrived and when it
// happened, the Once key, and what the member had in every window before. Board.Journal reads them, newest first.
//
//   - Rows are numbered from 1 in the order of arrival. When there are too many, the oldest is dropped. Submissions that were skipped, refused or
//     duplicates have no row. The removal of a member has one.
//   - Metadata is not in the journal, nor are SetMeta and closings.
//   - Board.Revert takes back one submission of a member, or all since a time: the member gets the entries that it would have without them, by the rules of
//     the board, in closed periods too. Its later submissions are applied again, and a removal counts as one. The commit also marks the rows and writes the audit log.
//   - A submission can be reverted as long as its row is there, under the version of the board that has taken it, and until its member is merged with another
//     one, or another member gets its name.
//   - Board.AsOf and AsOfRow return a ranking as it was at a past moment, or after a row: a copy of the present one, with the rows since then undone. They show
//     what counts today, as of then. A merge, or a migration to another version, stands in the way: an *UndoError says which row is the earliest.
//   - Submissions to a board with a journal come one after the other, as to a board of one set.
//   - In a rolling window Revert leaves the results that would be left. It refuses no sum: one out of range is at that end of it, as when results leave. AsOf has
//     no rolling windows: results leave them without a row, and an *UndoError says so. Rows have some of the results around each one: about 50 bytes for each of these.
//   - Migrate changes the size without another version, and keeps the rows when it changes anything else. Without Journal it deletes them, and rows
//     count from 1 when the board has a journal again.
//
// # Feed
//
// With Spec.Feed a board writes what happens on it into the commits that cause it, and Boards.Feed reads these events: see package feed.
//
// # Boards in parts
//
// Spec.Parts spreads the ranking of each period over as many sets, by a hash of the member's name, so that goroutines submit to one board in parallel.
// All reads give the answers of one set, as of one moment: they lock all parts and add up their counts.
//
// Spec.PartMembers makes the number of parts follow the number of members, each period by itself: a ranking begins as one set, and has another part for
// each so many members, up to MaxParts. It is no ceiling: parts are split one after the other, and one whose turn has not come has up to twice as many
// members. When members are removed, parts are merged again: when each of those that are left would have less than half as many.
//
//   - Submit locks the parts of its member only. The scores of a Change are those of the commit. Its ranks, Passed, Len, Near and Overtaken are
//     counted right after it, as of one moment before Submit returns (B9): Rank is one more than the number of other members before the entry at
//     that moment, for both rows. If the engine fails in between, Submit returns its error although the submission is committed. SubmitFunc,
//     SubmitAll of several, transactions, Remove, and all submissions of boards with BestRanks lock all parts, and their ranks are those of the commit.
//   - Members that reach a score in the same microsecond are in the order of their names, with FirstToReach and with LastToReach, and not in the
//     order of arrival.
//   - Cost: a rank takes a look into each part, a row in the middle O(parts^2 log n), a dense rank O(parts log n) for each better score. In four parts
//     a Submit takes 1.8 times as long as in one set, a rank 2.2 times, Top(10) 2.5 times. Apply counts no ranks. Submissions with Once keys
//     or metadata take a lock of the whole board, or of the engine. Measure with your own load before you choose parts.
//   - A split or a merge moves at most 64 members in one commit. Submissions and removals make these commits, one each, after their own; reads are exact
//     at every moment. It goes on after a restart. A closed period keeps its parts.
//   - There are no rolling windows, and no operators that keep results. Migrate changes the number of parts.
//
// # Contexts
//
// Whatever may wait for a disk, a lock or a network takes a context first. Until the commit is made, the end of the context ends the wait: the call
// returns the cause of the context, and nothing has changed. An engine waits for a commit that is made, whatever the context says, so that its answer
// says what has happened. Boards that are kept on other machines return [ErrUndecided] if the context ends while the change is on its way there: it may
// have been made or not, and a submission with a Once key can be sent again. A call of several commits, such as the change of a member in closed
// periods, ends between two of them; its doc says who does the rest.
//
// # Where things are
//
//	store.go          Store and Board: what boards have in every home
//	spec.go           Spec: what scores mean and how a board is cut in time; spec_file.go ReadSpec; spec_validate.go Validate
//	spec_top.go       Top; spec_feed.go Feed; spec_leagues.go Leagues; derived.go Derived: boards of groups; complete.go Complete: their columns and windows
//	differences.go    how two specs differ
//	scores.go         names of packages rules and window
//	submission.go     Submission, Condition; change.go Change, Move: what a submission did
//	ranking.go        Ranking, Row and the other answers; cursor.go Cursor
//	moderation.go     Moderator, Action, Moderated, Member; package audit has the entries of the audit log
//	awards.go         Awarder; package awards has Plan, Award, Settlement; leagues.go Promoter, League, Promotion
//	feed.go           Feeder, Watcher, Event, Position, feed.Filter
//	journal.go        Journaler, JournalRow, Reversion
//	groups.go         Groups, Grouper, GroupInfo; unions.go UnionSpec
//	json.go           the JSON of what boards take and answer
//	errors.go         the errors
package board
