// Package boards measures a leaderboard of three windows, all, day and week: submissions a second, and cards a second, beside what
// a user would write without package board. One level, one system, in this process, in turns with the other systems in theirs.
//
// A submission adds points to a player in every window and asks for the player's rank in each. A card is the first 10 of all
// time, the player's own row, and the 5 around it on each side. Players and points are drawn before. Each caller makes its next
// call when the last one has been answered; where 100 are made together, when all of them have been, and those ask for no ranks.
//
// By hand there are three sets of plain scores: equal scores go by the member, nothing ends a period, the answer tells nothing of
// before, and the keys are there, without a look at a calendar. The doubt goes to the peers.
package boards
