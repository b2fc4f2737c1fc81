// Package awards says who gets what when a period of a leaderboard ends. Its functions are pure: any store of rankings could use them.
//
//	plan := awards.Plan{Window: "week", Tiers: []awards.Tier{
//		{Name: "gold", From: 1, Payload: "500 coins"},
//		{Name: "silver", From: 2, To: 10, Payload: "100 coins"},
//		{Name: "played", Everyone: true, Payload: "5 coins"},
//	}}
//	tiers, more := plan.For(awards.Standing{Rank: 7, Place: 7}, awards.Field{Members: 4711})
//
// # Terminology
//
//   - plan: what the periods of one window award.
//   - tier: a group of members of a ranking and what they get: a range of ranks, the best percent, everyone from a score on, or everyone.
//   - payload: what a tier gives, a text that means something to the program only.
//   - standing: the rank and the place of a member in the ranking of a closed period.
//
// # What it promises
//
//   - A1: without Stack a member is in one tier at most: the first one, in the order of the plan, that has it. With Stack it is in every tier that has
//     it.
//   - A2: the mode of the plan decides about ties across the edge of a range of ranks or of the best percent. With Ordinal the board's tie rule does, and
//     a range of n ranks has n members. With Competition all equals are in the tier of the best of them, and with Modified in that of the
//     worst. With Dense ranks count different scores, and the best percent counts members as with Competition.
//   - A3: without Stack the ranges of ranks begin at rank 1, and there is no overlap and no gap between them.
//   - A4: places with the same standing get the same tiers, in every call.
//
// # Where things are
//
//	plan.go        Plan, Tier, For
//	award.go       Award: what a member gets, and its State
//	settlement.go  Settlement, Resettlement, and the Difference that this makes
//	errors.go      why an award is not there, or cannot be claimed
//	validate.go    Validate: what is impossible
//	json.go        their JSON
package awards
