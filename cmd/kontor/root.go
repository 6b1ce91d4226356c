package main

import (
	"os"

	"github.com/spf13/cobra"

	"kontor.dev/kontor/internal/config"
)

// root is the command tree; without a command it serves.
func root() *cobra.Command {
	serve := serveCommand()
	cmd := &cobra.Command{
		Use:           "kontor",
		Short:         "Puts a person in charge of their MCP servers",
		Args:          cobra.NoArgs,
		RunE:          serve.RunE,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	config.AddFlags(cmd.PersistentFlags())
	cmd.AddCommand(serve, linkCommand(), passwordCommand(), tokenCommand(), keyCommand(),
		backupCommand(), restoreCommand(), importCommand(), doctorCommand(), serverCommand(), versionCommand(), openapiCommand())
	return cmd
}

// load reads the configuration for a command.
func load(cmd *cobra.Command) (config.Config, error) {
	return config.Load(cmd.Flags(), os.LookupEnv)
}
