package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"kontor.dev/kontor/internal/bundled"
	"kontor.dev/kontor/internal/web"
)

func serverCommand() *cobra.Command {
	var addr string
	var names []string
	for _, s := range bundled.All() {
		names = append(names, fmt.Sprintf("  %s: %s", s.Name, s.Description))
	}
	cmd := &cobra.Command{
		Use:   "server NAME",
		Short: "Run a bundled MCP server on standard input and output",
		Long:  "Run a bundled MCP server on standard input and output:\n\n" + strings.Join(names, "\n"),
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			version, _ := build()
			return bundled.Run(cmd.Context(), args[0], bundled.Options{
				Version: version, Addr: addr, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
			})
		},
	}
	cmd.Flags().StringVar(&addr, "http", "", "serve HTTP at this loopback host:port instead, path /mcp")
	return cmd
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			version, revision := build()
			fmt.Fprintln(cmd.OutOrStdout(), strings.TrimSpace("kontor "+version+" "+revision))
		},
	}
}

func openapiCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "openapi",
		Short: "Print the OpenAPI document of the API",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := web.Document()
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
}

// version is set when linking (see the Makefile).
var version string

// build tells the version, as linked in or as the toolchain stamped it, and the
// revision.
func build() (release, revision string) {
	release = version
	info, ok := debug.ReadBuildInfo()
	switch {
	case release != "":
	case !ok || info.Main.Version == "" || info.Main.Version == "(devel)":
		release = "dev"
	default:
		release = info.Main.Version
	}
	if !ok {
		return release, ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			revision = s.Value
		}
	}
	return release, revision
}
