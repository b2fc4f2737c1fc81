// Package counted is the rival that a reviewer asks for: an order-statistic B+ tree of (score, member), written for this
// comparison and for nothing else.
//
// Terms: a row is a score and a member, ordered by score and then by member. A leaf holds rows. An inner node holds kids,
// for each the number of rows below it (its count) and a row that parts it from the kid before (its low).
//
// Invariants, verified by check in the tests:
//
//	C1  the rows of a leaf ascend, and so do the leaves of the chain
//	C2  the rows below kid i are not less than low i, and less than low i+1; low 0 says nothing
//	C3  count i is the number of rows below kid i
//	C4  every node but the root has at least a third of what it could hold
//	C5  the chain links the leaves in order, and slots behind the last row hold no member
//
// Every change is one descent: a full node is split before it is entered by an insert, a sparse one filled before it is
// entered by a delete, so that nothing has to be mended on the way back. A row that moves within its leaf's interval
// changes no count at all. Lows are not mended when their row goes, so that a few dead members stay in memory: fewer than
// there are leaves.
//
// # Where things are
//
//   - tree.go: Tree, its descents, and how nodes split and merge
//   - node.go: leaves and inner nodes
package counted
