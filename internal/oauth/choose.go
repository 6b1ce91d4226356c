package oauth

import (
	"context"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// choose finds the authorization server to use: the person's choice, else the only
// one, else the one of the last sign-in. Machines take the first that answers.
func (d discovery) choose(ctx context.Context, at site, server Server, wanted string, before *record) (metadata, error) {
	if wanted == "" {
		wanted = server.Settings.AuthorizationServer
	}
	if len(at.Issuers) == 0 && wanted == "" {
		meta, err := d.legacy(ctx)
		if err == nil {
			err = bound(meta.Issuer, server, before)
		}
		return meta, err
	}
	names, err := issuersToTry(at.Issuers, wanted, before, server.Settings.Machine())
	if err != nil {
		return metadata{}, err
	}
	var first error
	for _, name := range names {
		meta, err := d.issuer(ctx, name)
		if err == nil {
			return meta, bound(meta.Issuer, server, before)
		}
		if first == nil {
			first = err
		}
	}
	return metadata{}, first
}

func issuersToTry(listed []string, wanted string, before *record, machine bool) ([]string, error) {
	switch {
	case wanted != "" && (len(listed) == 0 || slices.Contains(listed, wanted)):
		return []string{wanted}, nil
	case wanted != "":
		return nil, model.Errorf(model.CodeInvalid, "the server doesn't name the authorization server %s; it names %s", foreign(wanted), foreign(strings.Join(listed, ", ")))
	case len(listed) == 1 || machine:
		return listed, nil
	case before != nil && slices.Contains(listed, before.Issuer):
		return []string{before.Issuer}, nil
	}
	return nil, &ChooseIssuerError{Issuers: listed, err: model.Errorf(model.CodeInvalid, "the server can be signed in to at several places: choose one of %s", foreign(strings.Join(listed, ", ")))}
}

// bound keeps credentials that the person typed in at the authorization server
// that they were first used at: a server that names another one would get them.
func bound(issuer string, server Server, before *record) error {
	set := server.Settings
	if set.ClientID == "" || set.AuthorizationServer == issuer || before == nil || before.Client.From != configured ||
		before.Client.ID != set.ClientID || before.Issuer == issuer {
		return nil
	}
	return &model.Error{
		Code:    model.CodeDenied,
		Message: "the client id in the settings was used at " + hostOf(before.Issuer) + ", but the server names " + hostOf(issuer) + " now: it would be given to a stranger",
		Fix:     "If the server has really moved, set authorization_server to " + foreign(issuer) + " and type in a client id of it.",
	}
}

// checkDPoP says whether proofs by ES256 are taken; without a list they may be.
func (m metadata) checkDPoP() error {
	if len(m.DPoPAlgorithms) == 0 || slices.Contains(m.DPoPAlgorithms, "ES256") {
		return nil
	}
	return model.Errorf(model.CodeProtocol, "the authorization server %s takes no DPoP proofs by ES256, only by %s", hostOf(m.Issuer), foreign(strings.Join(m.DPoPAlgorithms, ", ")))
}
