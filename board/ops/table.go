package ops

// All returns the table: all operations.
func All() []*Op {
	return []*Op{
		ListBoards.Op, GetBoard.Op, DefineBoard.Op, MigrateBoard.Op, DropBoard.Op, GetDeadline.Op, RebuildBoard.Op,
		Submit.Op, Apply.Op, SubmitBatch.Op, RemoveMember.Op, SetMeta.Op,
		Top.Op, Places.Op, Rank.Op, Score.Op, Around.Op, Page.Op, Card.Op,
		Info.Op, Count.Op, Between.Op, AroundScore.Op, RankOf.Op, Gap.Op, Percentile.Op, AtPercentile.Op, Histogram.Op,
		AmongMembers.Op, MoveArrows.Op,
		ListPeriods.Op, ClosePeriod.Op, GetReset.Op, GetNextChange.Op, GetBestRank.Op,
		ListBaselines.Op, SaveBaseline.Op, DropBaseline.Op,
		Ban.Op, Unban.Op, Hide.Op, Show.Op, Erase.Op, Rename.Op, Merge.Op, Correct.Op, Revert.Op, BanEverywhere.Op, EraseEverywhere.Op,
		GetMember.Op, ListAudit.Op, GetAuditPlaces.Op, ListJobs.Op, ListJournal.Op,
		ListAwards.Op, Resettle.Op, ListSettlements.Op, ListAwardsOf.Op, ListClaimable.Op, ClaimAward.Op, WithholdAward.Op, ReleaseAward.Op,
		GetLeague.Op, GetTier.Op, SetTier.Op, ListPromotions.Op, Watch.Op, Unwatch.Op,
		ListKinds.Op, DefineKind.Op, ListGroups.Op, GetGroup.Op, CreateGroup.Op, DissolveGroup.Op, SetGroupMeta.Op,
		ListGroupMembers.Op, AmongGroup.Op, GetGroupOf.Op, JoinGroup.Op, MoveGroup.Op, LeaveGroup.Op, RenameInGroup.Op, JoinAll.Op,
		ListUnions.Op, StoreUnion.Op, DropUnion.Op,
		GetEnd.Op,
	}
}
