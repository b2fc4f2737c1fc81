package zsetcmd

import (
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

func zcard(t *session.Txn, a [][]byte) error {
	v, err := t.Read(a[1])
	if err != nil {
		return err
	}
	t.Out.Int(int64(v.Len()))
	return nil
}

func zscore(t *session.Txn, a [][]byte) error {
	v, err := t.Read(a[1])
	if err != nil {
		return err
	}
	score, ok := v.Score(a[2])
	writeScoreOrNull(t.Out, score, ok)
	return nil
}

func zmscore(t *session.Txn, a [][]byte) error {
	v, err := t.Read(a[1])
	if err != nil {
		return err
	}
	t.Out.Array(len(a) - 2)
	for _, member := range a[2:] {
		score, ok := v.Score(member)
		writeScoreOrNull(t.Out, score, ok)
	}
	return nil
}

func zrank(t *session.Txn, a [][]byte) error    { return answerRank(t, a, false) }
func zrevrank(t *session.Txn, a [][]byte) error { return answerRank(t, a, true) }

// answerRank answers with a member's rank, and with its score after WITHSCORE, which is of Redis 7.2.
func answerRank(t *session.Txn, a [][]byte, reverse bool) error {
	if len(a) > 4 {
		return command.ErrArity(t.Step.Command.Name)
	}
	if len(a) == 4 && !command.Is(a[3], "withscore") {
		return command.ErrSyntax
	}
	v, err := t.Read(a[1])
	if err != nil {
		return err
	}
	rank, score, ok := v.RankScore(a[2])
	if reverse {
		rank = v.Len() - 1 - rank
	}
	switch {
	case !ok && len(a) == 4:
		t.Out.NullArray()
	case !ok:
		t.Out.Null()
	case len(a) == 4:
		t.Out.Array(2)
		t.Out.Int(int64(rank))
		t.Out.Double(score)
	default:
		t.Out.Int(int64(rank))
	}
	return nil
}
