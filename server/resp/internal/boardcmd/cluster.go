package boardcmd

import "github.com/zrankdb/zrank/board/move"

// Cluster is boards on a cluster that the server has opened.
type Cluster interface {
	move.Boards
	Close() error
}

// ClusterOptions are those of cluster.Options that a client gives.
type ClusterOptions struct {
	Prefix               string
	Partitions, Replicas int // 0: the default
}

// OpenCluster opens boards on the cluster of a URL.
type OpenCluster func(url string, o ClusterOptions) (Cluster, error)
