package main

import _ "time/tzdata" // for machines without zones

func Example() {
	main()
	// Output:
	// ada: not yet, it begins at 6:00PM
	// ada: level 7, number 1 of 1
	// bea: level 7, number 2 of 2
	// ada: level 7 is no better, number 1 still
	// cyd: level 9, number 1 of 3
	// bea: level 9, number 2 of 3
	// ada: too late, it ended at 8:00PM
	// 1. cyd level 9 at 17:40:00
	// 2. bea level 9 at 18:59:00
	// 3. ada level 7 at 17:05:00
}
