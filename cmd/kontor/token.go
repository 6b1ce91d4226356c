package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"kontor.dev/kontor/internal/app"
	"kontor.dev/kontor/internal/model"
)

func tokenCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "token", Short: "API tokens"}
	cmd.AddCommand(tokenCreateCommand(), tokenListCommand(), tokenRevokeCommand())
	return cmd
}

func tokenCreateCommand() *cobra.Command {
	var scope string
	var days int
	cmd := &cobra.Command{
		Use:   "create NAME",
		Short: "Make a token and print it, this once",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			request := app.TokenRequest{Name: args[0], Scope: model.Scope(scope)}
			if days > 0 {
				request.Expires = time.Now().UTC().AddDate(0, 0, days)
			}
			return administered(cmd, func(ctx context.Context, admin app.Admin) error {
				created, err := admin.CreateToken(ctx, request)
				if err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), created.Value)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&scope, "scope", string(model.ScopeFull), "full, read, or gateway (only the MCP endpoint)")
	cmd.Flags().IntVar(&days, "days", 0, "days until it expires; 0 for never")
	return cmd
}

func tokenListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the tokens",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return administered(cmd, func(ctx context.Context, admin app.Admin) error {
				tokens, err := admin.Tokens(ctx)
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tNAME\tSCOPE\tBEGINS WITH\tEXPIRES\tLAST USED")
				for _, t := range tokens {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s…\t%s\t%s\n", t.ID, t.Name, t.Scope, t.Prefix, day(t.ExpiresAt), day(t.LastUsedAt))
				}
				return w.Flush()
			})
		},
	}
}

func tokenRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke ID",
		Short: "Revoke a token",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return administered(cmd, func(ctx context.Context, admin app.Admin) error {
				return admin.RevokeToken(ctx, args[0])
			})
		},
	}
}

func day(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format("2006-01-02 15:04")
}
