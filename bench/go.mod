module github.com/zrankdb/zrank/bench

go 1.26.0

require (
	github.com/Workiva/go-datastructures v1.1.7
	github.com/bytedance/gopkg v0.1.4
	github.com/google/btree v1.1.3
	github.com/huandu/skiplist v1.2.1
	github.com/jedib0t/go-pretty/v6 v6.8.3
	github.com/spf13/cobra v1.10.2
	github.com/stretchr/testify v1.12.1
	github.com/tidwall/btree v1.8.2
	github.com/zrankdb/zrank v0.0.0
	golang.org/x/sys v0.49.0
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/mattn/go-runewidth v0.0.16 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/text v0.22.0 // indirect
)

replace github.com/zrankdb/zrank => ../
