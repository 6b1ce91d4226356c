package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"kontor.dev/kontor/internal/app"
	"kontor.dev/kontor/internal/config"
)

// administered runs f on the data folder, through the Kontor that runs on it when
// one does.
func administered(cmd *cobra.Command, f func(context.Context, app.Admin) error) (err error) {
	c, err := load(cmd)
	if err != nil {
		return err
	}
	admin, done, err := app.OpenAdmin(cmd.Context(), c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	return f(cmd.Context(), admin)
}

func linkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "link",
		Short: "Print a link that signs a browser in, once, within 10 minutes",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := load(cmd)
			if err != nil {
				return err
			}
			running, err := reach(cmd.Context(), c)
			if err != nil {
				return err
			}
			link, err := running.Link(cmd.Context())
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), link)
			return nil
		},
	}
}

func reach(ctx context.Context, c config.Config) (*app.Remote, error) {
	running, ok := app.Reach(ctx, c)
	if !ok {
		return nil, fmt.Errorf("no Kontor runs on %s: start one with `kontor serve`, or name its folder with --data", c.Data)
	}
	return running, nil
}

func keyCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "key", Short: "The key that secrets are sealed with"}
	cmd.AddCommand(&cobra.Command{
		Use:   "rotate",
		Short: "Seal every secret with a new key",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return administered(cmd, func(ctx context.Context, admin app.Admin) error {
				if err := admin.RotateKey(ctx); err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), "Every secret is sealed with a new key. Older backups need the key that was theirs.")
				return nil
			})
		},
	})
	return cmd
}

func backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database to FILE, while Kontor runs or not",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			// The running Kontor may be in another folder than we are.
			path, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			return administered(cmd, func(ctx context.Context, admin app.Admin) error {
				if err := admin.Backup(ctx, path); err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s holds the database. Its secrets need the key, which is not in it: keep a copy of that elsewhere.\n", path)
				return nil
			})
		},
	}
}

func restoreCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the database; Kontor must be stopped",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := load(cmd)
			if err != nil {
				return err
			}
			aside, err := app.Restore(cmd.Context(), c, args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s is restored.\n", args[0])
			if aside != "" {
				fmt.Fprintf(cmd.OutOrStdout(), "The database that was there is %s.\n", aside)
			}
			return nil
		},
	}
}
