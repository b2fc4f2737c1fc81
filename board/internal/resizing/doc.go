// Package resizing splits and merges the parts of rankings whose number of parts follows that of their members.
//
// A step is a small transaction. Steps of a period run one after the other, while submissions go on:
//
//   - A step begins a split or a merge: it stores the layout in which some members are in one of two parts. It moves none.
//   - Further steps go through the part that gives members away, some entries at a time, in the order of the ranking, and move those that have another
//     part now. A submission that changes the entry of such a member moves it as well, so no entry comes to stand before the place of the next step that
//     would have to move.
//   - The step that finds no more entries also stores the layout in which the two parts are as all others.
//
// A layout is changed by the transaction of the step alone, which has the two parts locked: see state.Parts. A step that moves entries changes no answer of
// any read. Steps do not wait for the disk: after a crash the stored layout says which parts to look into, and the next steps go through the part again
// from its first entry.
//
// A submission or a removal that finds a step due makes it after its own commit, unless another goroutine makes one at the moment. So parts are split
// and merged while the board is written to, and stay as they are otherwise. A closed period keeps its layout.
//
// # Where things are
//
//	step.go  Step
package resizing
