package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"kontor.dev/kontor/internal/app"
	"kontor.dev/kontor/internal/servers"
)

func doctorCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor [NAME | URL | COMMAND [ARGUMENT…]]",
		Short: "Try servers step by step and say what is wrong",
		Long: "Try a server step by step and say at which step it fails, why, and what helps: one of Kontor's own by its name, " +
			"an address, or a command with its arguments. Without any it tries every server that is turned on. " +
			"A running Kontor does it itself, with the PATH and the secrets that are its own. Kontor's flags stand before the name.",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			c, err := load(cmd)
			if err != nil {
				return err
			}
			version, _ := build()
			doctor, done, err := app.OpenDoctor(cmd.Context(), c, version)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, done()) }()
			return visit(cmd.Context(), cmd.OutOrStdout(), doctor, args)
		},
	}
	// What follows the command is the command's own.
	cmd.Flags().SetInterspersed(false)
	return cmd
}

// visit tries what the words stand for, or everything, and prints how far each came.
func visit(ctx context.Context, out io.Writer, doctor app.Doctor, words []string) error {
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("this folder: %w", err)
	}
	complaints := []app.Complaint{{Words: words, Dir: dir}}
	if len(words) == 0 {
		names, err := doctor.ServerNames(ctx)
		if err != nil {
			return err
		}
		complaints = nil
		for _, name := range names {
			complaints = append(complaints, app.Complaint{Words: []string{name}})
		}
	}
	tried, ill := 0, 0
	for _, q := range complaints {
		found, err := doctor.Diagnose(ctx, q)
		if err != nil {
			return err
		}
		for _, d := range found {
			tried++
			if !d.Report.OK() {
				ill++
			}
			if err := printDiagnosis(out, d); err != nil {
				return err
			}
		}
	}
	switch {
	case tried == 0:
		fmt.Fprintln(out, "No server is turned on.")
	case ill > 0:
		return fmt.Errorf("%d of %d can't be used", ill, tried)
	}
	return nil
}

func printDiagnosis(out io.Writer, d app.Diagnosis) error {
	fmt.Fprintln(out, d.Subject)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	var failed servers.Stage
	var rest []string
	for _, st := range d.Report.Stages {
		switch {
		case st.OK:
			fmt.Fprintf(w, "  ok\t%s\t%s\t%s\n", st.Name, took(st.Duration), oneLine(st.Message))
		case st.Code == servers.CodeNotReached:
			rest = append(rest, st.Name)
		default:
			failed = st
			fmt.Fprintf(w, "  FAILED\t%s\t%s\t%s (%s)\n", st.Name, took(st.Duration), oneLine(st.Message), st.Code)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(rest) > 0 {
		fmt.Fprintf(out, "  not reached: %s\n", strings.Join(rest, ", "))
	}
	for _, line := range strings.Split(failed.Evidence, "\n") {
		if line != "" {
			fmt.Fprintf(out, "    | %s\n", oneLine(line))
		}
	}
	if failed.Fix != "" {
		fmt.Fprintf(out, "  What may help: %s\n", failed.Fix)
	}
	if here, err := exec.LookPath(d.Command); failed.Code == "command_not_found" && err == nil {
		fmt.Fprintf(out, "  In this shell it is %s.\n", here)
	}
	_, err := fmt.Fprintln(out)
	return err
}

func took(d time.Duration) string { return d.Round(time.Millisecond).String() }

// oneLine keeps a stranger's words from drawing lines and escape sequences of their
// own on the terminal.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, text)
}
