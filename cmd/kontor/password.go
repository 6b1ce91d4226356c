package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kontor.dev/kontor/internal/app"
	"kontor.dev/kontor/internal/web/access"
)

func passwordCommand() *cobra.Command {
	var remove, hash bool
	cmd := &cobra.Command{
		Use:   "password",
		Short: "Set the password; every browser is signed out",
		Long:  "Set the password. It is asked for, or read from standard input when that is no terminal.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			password := ""
			if !remove {
				var err error
				if password, err = askPassword(cmd); err != nil {
					return err
				}
			}
			if hash {
				fmt.Fprintln(cmd.OutOrStdout(), access.HashPassword(password))
				return nil
			}
			return administered(cmd, func(ctx context.Context, admin app.Admin) error {
				if err := admin.SetPassword(ctx, password); err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), map[bool]string{true: "The password is removed.", false: "The password is set."}[remove])
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "remove the password instead")
	cmd.Flags().BoolVar(&hash, "hash", false, "print the hash for KONTOR_PASSWORD_HASH and change nothing")
	cmd.MarkFlagsMutuallyExclusive("remove", "hash")
	return cmd
}

func askPassword(cmd *cobra.Command) (string, error) {
	input, isFile := cmd.InOrStdin().(*os.File)
	if !isFile || !term.IsTerminal(int(input.Fd())) {
		line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read the password: %w", err)
		}
		return checked(strings.TrimRight(line, "\r\n"))
	}
	first, err := prompt(cmd, input, "New password: ")
	if err != nil {
		return "", err
	}
	again, err := prompt(cmd, input, "Again: ")
	if err != nil {
		return "", err
	}
	if first != again {
		return "", errors.New("the two differ: nothing was changed")
	}
	return checked(first)
}

func checked(password string) (string, error) {
	if password == "" {
		return "", errors.New("no password was given; to remove it use --remove")
	}
	return password, nil
}

func prompt(cmd *cobra.Command, input *os.File, text string) (string, error) {
	fmt.Fprint(cmd.ErrOrStderr(), text)
	typed, err := term.ReadPassword(int(input.Fd()))
	fmt.Fprintln(cmd.ErrOrStderr())
	if err != nil {
		return "", fmt.Errorf("read the password: %w", err)
	}
	return string(typed), nil
}
