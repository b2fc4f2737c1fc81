package main

// The wallets end with what the days award without the cheat, who keeps what was paid: after the ban ada gets the difference between silver and gold.
func Example() {
	main()
	// Output:
	// the process runs on Friday
	// the process runs on Tuesday
	// 2026-11-20: ada is number 1, gold: 100 coins
	// 2026-11-20: bea is number 2, silver: 50 coins
	// 2026-11-20: cyd is number 2, silver: 50 coins
	// 2026-11-20: dan is number 4, played: 5 coins
	// the process runs on Wednesday
	// 2026-11-24: dan is number 1, gold: 100 coins
	// 2026-11-24: ada is number 2, silver: 50 coins
	// coins/ada: 150
	// coins/bea: 50
	// coins/cyd: 50
	// coins/dan: 105
	// the process runs on Wednesday
	// coins/ada: 150
	// coins/bea: 50
	// coins/cyd: 50
	// coins/dan: 105
	// the process runs on Thursday
	// 2026-11-24: ada is number 1, gold: 50 coins
	// coins/ada: 200
	// coins/bea: 50
	// coins/cyd: 50
	// coins/dan: 105
	// the process runs on Thursday
	// coins/ada: 200
	// coins/bea: 50
	// coins/cyd: 50
	// coins/dan: 105
}
