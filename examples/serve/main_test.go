package main

func Example() {
	main()
	// Output:
	// > ZREVRANGE board/arena/all/all/v1 0 9 WITHSCORES
	// bea 20 ada 15
	// > BOARD.SUBMIT arena ada 10
	// duplicate 0 windows window all period all changed 1 improved 1 was 2 rank 1 score 25 passed 1 members 2
	// > BOARD.TOP arena all 10
	// 1 ada 25 2 bea 20
	// > ZADD board/arena/all/all/v1 1000 eve
	// READONLY sets of boards, and others with int64 scores, are changed by the program or by BOARD.SUBMIT
	// > ZADD visitors 1 eve
	// 1
	// bea: 30 points, number 1, passed 1
}
