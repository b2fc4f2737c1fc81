package main

import _ "time/tzdata" // for machines without zones

func Example() {
	main()
	// Output:
	// ann gives 9: <nil>
	// bob gives 30: <nil>
	// bob gives 40: has 40 coins, not 80
	// flowers/stars 2026-W47:  1. luna 39  2. rex 30
	// flowers/luna/givers 2026-11-20:  1. bob 30  2. ann 9
}
