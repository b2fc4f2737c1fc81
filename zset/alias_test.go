package zset

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/model"
)

// TestAliases passes ties and members to AddTied that alias the set's own memory.
func TestAliases(t *testing.T) {
	for _, v := range plain {
		t.Run(v.name, func(t *testing.T) {
			p := newPair(v.fresh(8))
			for i := range 30 {
				require.NoError(t, p.add(fmt.Sprintf("m%02d", i), []byte(fmt.Sprintf("tie%05d", i)), float64(i)))
			}
			_, tie, _ := p.set.Get([]byte("m03"))
			wantTie := string(tie)
			_, err := p.set.AddTied([]byte("m03"), tie, 99)
			require.NoError(t, err)
			e, _ := p.want.Get("m03")
			e.Score, e.Tie = 99, wantTie
			p.want.Put(e)
			require.NoError(t, p.compare())

			for i := range 20 { // add a member with the tie of another one, and a member that is a prefix of another one
				_, tie, _ := p.set.Get([]byte("m29"))
				member := fmt.Sprintf("a%02d", i)
				_, err := p.set.AddTied([]byte(member), tie, 0)
				require.NoError(t, err)
				p.want.Put(model.Entry{Member: member, Tie: "tie00029"})
				piece := p.own(p.set.Len() - 1)[:1+i%2]
				p.want.Put(model.Entry{Score: -1, Member: string(piece), Tie: "tie-tie-"})
				_, err = p.set.AddTied(piece, []byte("tie-tie-"), -1)
				require.NoError(t, err)
			}
			require.NoError(t, p.compare())
		})
	}
}

// own returns the member with a rank; the slice aliases the set.
func (p *pair[S]) own(rank int) []byte {
	for m := range p.set.Range(rank, rank+1) {
		return m
	}
	return nil
}

// TestAliasedMembers passes members that alias the set to every method that changes a member.
func TestAliasedMembers(t *testing.T) {
	for _, v := range allVariants() {
		t.Run(v.name, func(t *testing.T) {
			p := newPair(v.fresh(0))
			for i := range 150 {
				require.NoError(t, p.add(fmt.Sprintf("member %03d", i*7%150), nil, float64(i%5)))
			}
			for i := 0; p.set.Len() > 3; i++ {
				own := p.own(i * 13 % p.set.Len())
				name := string(own)
				switch i % 6 {
				case 0:
					require.Equal(t, p.want.Remove(name), p.set.Remove(own))
				case 1:
					e, _ := p.entry(name)
					e.Score = float64(i % 7)
					_, err := p.set.AddIf(own, e.Score, XX)
					require.NoError(t, err)
					p.put(e)
				case 2:
					e, _ := p.entry(name)
					e.Score--
					_, _, err := p.set.IncrByIf(own, -1, LT)
					require.NoError(t, err)
					p.put(e)
				case 3: // a new member that is a prefix of another one
					e, _ := p.entry(name[:len(name)-1])
					e.Score++
					_, _, err := p.set.IncrByIf(own[:len(name)-1], 1, 0)
					require.NoError(t, err)
					p.put(e)
				case 4:
					lo := i * 13 % p.set.Len()
					for _, e := range p.want.Range(lo, lo+2) {
						p.want.Remove(e.Member)
					}
					p.set.RemoveRange(lo, lo+2)
				case 5:
					rank, ok := p.set.Rank(own)
					require.True(t, ok)
					require.Equal(t, i*13%p.set.Len(), rank)
				}
				if i%16 == 0 {
					require.NoError(t, p.compareEntries(), "step %d", i)
				}
			}
			require.NoError(t, p.compare())
		})
	}
}

// TestAliasedBounds removes the range between two members that alias the set.
func TestAliasedBounds(t *testing.T) {
	for _, v := range plain {
		p := newPair(v.fresh(0))
		for i := range 100 {
			require.NoError(t, p.add(fmt.Sprintf("%03d", i), nil, 1))
		}
		lo, hi := p.set.MemberInterval(&MemberBound{Member: p.own(10)}, &MemberBound{Member: p.own(90), Exclusive: true})
		require.NoError(t, p.removeRange(lo, hi))
		require.NoError(t, p.compare(), v.name)
		require.Equal(t, 20, p.set.Len())
	}
}

// TestCopies changes a copy. The original must not change.
func TestCopies(t *testing.T) {
	for _, v := range plain {
		p := newPair(v.fresh(8))
		for i := range 60 {
			require.NoError(t, p.add(fmt.Sprint(i), []byte(fmt.Sprintf("%08d", i)), float64(i%9)))
		}
		entries, scan := p.set.Append(nil, 0, 60), p.set.AppendRev(nil, 0, 60)
		other := p.set.Copy()
		for i := range 60 {
			_, err := other.Add(fmt.Append(nil, i), -1)
			require.NoError(t, err)
			other.Remove(fmt.Append(nil, i*3))
		}
		require.NoError(t, p.compare(), v.name)
		for i := range entries { // a caller may write to a copy, and append to it
			entries[i].Member[0], scan[i].Tie[0] = '!', '!'
			_ = append(entries[i].Member, "!!!!"...)
			require.Equal(t, byte('0'), entries[i].Tie[0])
		}
		require.NoError(t, p.compare(), v.name)
	}
}
