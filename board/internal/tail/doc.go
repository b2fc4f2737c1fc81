// Package tail keeps the rankings of boards that rank their best members only: see specs.Top.
//
// # How such a ranking is stored
//
// The set of the ranking, the head, has the best members: at least n, usually up to n + reserve. All others are in the tail: sets of some dozens of
// entries, the buckets, of the same form:
//
//	.tail.NUMBER.WINDOW   a bucket; its number is hexadecimal
//
// A member's hash says which bucket it is in. Package buckets has the directory of the buckets, and a bound for each: an entry that none of the
// bucket comes before. A submission names the head and one bucket, and both are small, whatever the number of members is.
//
// # Invariants
//
// They hold after every commit:
//
//   - TL1: a member is in the head, or in the bucket of its hash, or nowhere.
//   - TL2: every entry of the head comes before every entry of the tail.
//   - TL3: if the head has fewer than n members, the tail has none.
//
// So the first n entries of the head are the best n of all. A submission of a member of the tail that comes to stand before the last entry of the
// head moves it to the head. One of a member of the head that comes to stand behind the others there, and perhaps behind one of the tail, moves it to the tail.
// If the head would then have fewer than n members, the submission first refills it, and begins again.
//
// # Steps
//
// A step is a small transaction that moves entries between sets. Steps of a period run one after the other, while submissions go on:
//
//   - a refill moves the best members of the tail to the head. The bounds say in which buckets they are.
//   - a trim moves the last members of the head to the tail, half of the reserve, when the head has more than n + reserve.
//   - a split moves about half of the members of a full bucket to a new one.
//
// A submission that finds a step due makes it after its own commit. Steps do not wait for the disk.
//
// A transaction of k submissions takes k members from the head at most. If the reserve is smaller, ErrShort says so; from then on heads of the period have room
// for 2k beyond n, and a refill brings k. Then the transaction ends: as long as the tail has no members, those that fall stay in the head, and the first
// that does not finds 2k in it.
//
// # Ranks of the others
//
// With Top.Segments the tail counts its entries in segments: see package buckets. Sets and steps tell it how their transactions have ended (owner.Ender), while the
// sets are still locked. A row of a Change is made inside the transaction, whose changes the tail does not know yet: so its bounds are
// wider by the number of changes that the transaction has made before. The scheduler of package closing calls CountDue, which counts some buckets at a time.
//
// # Where things are
//
//	put.go       Put, Remove: what submissions and removals change
//	places.go    how many members come before an entry, in a transaction and by its end
//	sets.go      Sets: the head and the bucket of one member in a transaction
//	maintain.go  Maintain, Refill, Trim, Prepare: when steps are made
//	step.go      how a step runs
//	refill.go    refills
//	trim.go      trims and splits
//	count.go     CountDue: counts
package tail
