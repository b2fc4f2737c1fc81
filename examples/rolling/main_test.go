package main

func Example() {
	main()
	// Output:
	// 14:00:00.000000  1. ada 85 2. bea 70 ; best: 1. ada 50 2. bea 40 ; ada's sum changes at 15:00:00
	// 14:59:59.999999  1. ada 85 2. bea 70 ; best: 1. ada 50 2. bea 40 ; ada's sum changes at 15:00:00
	// 15:00:00.000000  1. bea 70 2. ada 35 ; best: 1. bea 40 2. ada 25 ; ada's sum changes at 16:00:00
	// 16:00:00.000000  1. ada 25 ; best: 1. ada 25 ; ada's sum changes at 16:30:00
	// 16:30:00.000000  ; best:
}
