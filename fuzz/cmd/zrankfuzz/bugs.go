package main

import "github.com/spf13/cobra"

func newBugs() *cobra.Command { return &cobra.Command{Use: "bugs", Hidden: true} }
