package resp

// Commands that ask about members by name, or about all of them.

func zcard(t *txn, a [][]byte) error {
	v, err := t.read(a[1])
	if err != nil {
		return err
	}
	t.w.Int(int64(v.Len()))
	return nil
}

func zscore(t *txn, a [][]byte) error {
	v, err := t.read(a[1])
	if err != nil {
		return err
	}
	score, ok := v.Score(a[2])
	writeScoreOrNull(t.w, score, ok)
	return nil
}

func zmscore(t *txn, a [][]byte) error {
	v, err := t.read(a[1])
	if err != nil {
		return err
	}
	t.w.Array(len(a) - 2)
	for _, member := range a[2:] {
		score, ok := v.Score(member)
		writeScoreOrNull(t.w, score, ok)
	}
	return nil
}

func zrank(t *txn, a [][]byte) error    { return answerRank(t, a, false) }
func zrevrank(t *txn, a [][]byte) error { return answerRank(t, a, true) }

// answerRank answers with a member's rank, and its score if WITHSCORE, of Redis 7.2, stands behind it.
func answerRank(t *txn, a [][]byte, reverse bool) error {
	if len(a) > 4 {
		return errArity(t.step.m.name)
	}
	if len(a) == 4 && !is(a[3], "withscore") {
		return errSyntax
	}
	v, err := t.read(a[1])
	if err != nil {
		return err
	}
	rank, score, ok := v.RankScore(a[2])
	if reverse {
		rank = v.Len() - 1 - rank
	}
	switch {
	case !ok && len(a) == 4:
		t.w.NullArray()
	case !ok:
		t.w.Null()
	case len(a) == 4:
		t.w.Array(2)
		t.w.Int(int64(rank))
		t.w.Double(score)
	default:
		t.w.Int(int64(rank))
	}
	return nil
}
