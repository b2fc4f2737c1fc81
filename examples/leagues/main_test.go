package main

func Example() {
	main()
	// Output:
	// 2026-W47, bronze, cohort 1
	//   1 ada 30 up
	//   2 bea 20 stay
	//   3 cyd 10 stay
	//   ada goes up to silver
	//   eve goes up to silver
	// 2026-W48, silver, cohort 1
	//   1 eve 40 up
	//   2 ada 10 down
	//   bea goes up to silver
	//   eve goes up to gold
	//   ada goes down to bronze
	// 2026-W49, bronze, cohort 1
	//   1 ada 3 up
	//   ada goes up to silver
	//   bea goes up to gold
}
