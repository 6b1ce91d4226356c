package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"kontor.dev/kontor/internal/app"
)

func serveCommand() *cobra.Command {
	var profile string
	serve := &cobra.Command{
		Use:   "serve",
		Short: "Run Kontor (what `kontor` alone does)",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := load(cmd)
			if err != nil {
				return err
			}
			executable, err := os.Executable()
			if err != nil {
				return fmt.Errorf("this program's own path: %w", err)
			}
			app.TuneMemory()
			version, revision := build()
			a, err := app.New(cmd.Context(), app.Options{
				Config: c, Version: version, Revision: revision, Executable: executable, LogTo: os.Stderr,
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Kontor listens on %s. This link signs you in, once, within 10 minutes:\n\n  %s\n\nFor another one: %s\n", a.Addr(), a.Link(), c.Command(executable, "link"))
			return profiled(profile, func() error { return a.Run(cmd.Context()) })
		},
	}
	serve.Flags().StringVar(&profile, "cpu-profile", "", "write where CPU time goes to this `file`")
	_ = serve.Flags().MarkHidden("cpu-profile") // there is such a flag
	return serve
}
