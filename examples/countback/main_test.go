package main

func Example() {
	main()
	// Output:
	// 1. ada 36 points, 0 wins, 2 second, best lap 79.90
	// 2. bea 35 points, 1 wins, 0 second, best lap 80.20
	// 3. cyd 35 points, 1 wins, 0 second, best lap 80.19
	// 4. dot 15 points, 0 wins, 0 second, best lap 80.00
}
