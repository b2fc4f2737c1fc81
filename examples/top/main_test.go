package main

func Example() {
	main()
	// Output:
	// 1. player999 999  2. player998 998  3. player997 997   | player998 number 2 with 998 | player996 beyond 3 with 996 | player007 beyond 3 with 7
	// 1. player989 989  2. player988 988  3. player987 987   | player998 beyond 3 with 0 | player989 number 1 with 989 | player007 beyond 3 with 7
	// player007: beyond 3, then number 1, passed 3
	// 1. player007 5000  2. player988 988  3. player987 987   | player007 number 1 with 5000 | player988 number 2 with 988
}
