package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"kontor.dev/kontor/internal/model"
)

// modelRow is a row of language_models.
type modelRow struct {
	Name          string        `db:"name"`
	Provider      string        `db:"provider"`
	BaseURL       string        `db:"base_url"`
	Model         string        `db:"model"`
	APIKey        column[value] `db:"api_key"`
	SealedKey     []byte        `db:"sealed_key"`
	ContextTokens int           `db:"context_tokens"`
	Images        bool          `db:"images"`
	Default       bool          `db:"is_default"`
	PriceInput    float64       `db:"price_input"`
	PriceOutput   float64       `db:"price_output"`
	Script        string        `db:"script"`
	CreatedAt     moment        `db:"created_at"`
	UpdatedAt     moment        `db:"updated_at"`
	// Was is the name that the row has before an update.
	Was string `db:"was"`
}

const insertModel = `INSERT INTO language_models (name, provider, base_url, model, api_key, sealed_key, context_tokens,
    images, is_default, price_input, price_output, script, created_at, updated_at)
SELECT :name, :provider, :base_url, :model, :api_key, :sealed_key, :context_tokens, :images,
    NOT EXISTS (SELECT 1 FROM language_models WHERE is_default = 1), :price_input, :price_output, :script,
    :created_at, :updated_at`

const updateModel = `UPDATE language_models SET name = :name, provider = :provider, base_url = :base_url, model = :model,
    api_key = :api_key, sealed_key = :sealed_key, context_tokens = :context_tokens, images = :images,
    price_input = :price_input, price_output = :price_output, script = :script, updated_at = :updated_at
WHERE name = :was`

// modelContext binds a sealed key to its model.
func modelContext(name string) string { return "language model:" + name }

// LanguageModels lists the models, by name. A key that can't be opened comes as
// Value.Unreadable.
func (s *Store) LanguageModels(ctx context.Context) ([]model.LanguageModel, error) {
	s.keyMu.RLock()
	defer s.keyMu.RUnlock()
	var rows []modelRow
	if err := s.read.SelectContext(ctx, &rows, `SELECT * FROM language_models ORDER BY name`); err != nil {
		return nil, s.fail(err)
	}
	models := make([]model.LanguageModel, len(rows))
	for i, row := range rows {
		models[i] = s.languageModel(row)
	}
	return models, nil
}

// LanguageModel returns one model, the default one with an empty name, or
// CodeNotFound.
func (s *Store) LanguageModel(ctx context.Context, name string) (model.LanguageModel, error) {
	s.keyMu.RLock()
	defer s.keyMu.RUnlock()
	var row modelRow
	err := s.read.GetContext(ctx, &row, `SELECT * FROM language_models WHERE name = ? OR (? = '' AND is_default = 1)`, name, name)
	if errors.Is(err, sql.ErrNoRows) {
		return model.LanguageModel{}, notFound("language model", name)
	}
	if err != nil {
		return model.LanguageModel{}, s.fail(err)
	}
	return s.languageModel(row), nil
}

// InsertLanguageModel stores a new model; the first one is the default. A name that
// is taken is CodeConflict.
func (s *Store) InsertLanguageModel(ctx context.Context, m model.LanguageModel) error {
	s.keyMu.RLock() // until it is committed, so that no Rekey comes between
	defer s.keyMu.RUnlock()
	row, err := s.modelRowOf(m)
	if err != nil {
		return err
	}
	return modelNameTaken(m.Name, s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		if _, err := tx.NamedExecContext(ctx, insertModel, row); err != nil {
			return err
		}
		return makeDefault(ctx, tx, m)
	}))
}

// ReplaceLanguageModel replaces the model of that name, which may get another one:
// the chats that use it follow. The default stays it until another one is. CreatedAt
// stays; a key that comes as Unreadable keeps the sealed bytes that are there.
func (s *Store) ReplaceLanguageModel(ctx context.Context, name string, m model.LanguageModel) error {
	s.keyMu.RLock()
	defer s.keyMu.RUnlock()
	if m.APIKey.Unreadable && m.Name != name {
		return model.Errorf(model.CodeConflict, "The key of the language model %q can't be read, so the model can't be renamed: enter the key again.", name)
	}
	row, err := s.modelRowOf(m)
	if err != nil {
		return err
	}
	row.Was = name
	return modelNameTaken(m.Name, s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		if m.APIKey.Unreadable {
			err := tx.GetContext(ctx, &row.SealedKey, `SELECT sealed_key FROM language_models WHERE name = ?`, name)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
		}
		changed, err := affected(tx.NamedExecContext(ctx, updateModel, row))
		if err != nil {
			return err
		}
		if changed == 0 {
			return notFound("language model", name)
		}
		if _, err := tx.ExecContext(ctx, `UPDATE chat_sessions SET model = ? WHERE model = ?`, m.Name, name); err != nil {
			return err
		}
		return makeDefault(ctx, tx, m)
	}))
}

// DeleteLanguageModel removes a model with its key. After the default, the one that
// was there first is it.
func (s *Store) DeleteLanguageModel(ctx context.Context, name string) error {
	return s.queue.doAlone(ctx, func(ctx context.Context, tx *transaction) error {
		changed, err := affected(tx.ExecContext(ctx, `DELETE FROM language_models WHERE name = ?`, name))
		if err != nil {
			return err
		}
		if changed == 0 {
			return notFound("language model", name)
		}
		_, err = tx.ExecContext(ctx, `UPDATE language_models SET is_default = 1
			WHERE name = (SELECT name FROM language_models ORDER BY created_at, name LIMIT 1)
				AND NOT EXISTS (SELECT 1 FROM language_models WHERE is_default = 1)`)
		return err
	})
}

// makeDefault makes m the only default, when it shall be it.
func makeDefault(ctx context.Context, tx *transaction, m model.LanguageModel) error {
	if !m.Default {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `UPDATE language_models SET is_default = 0 WHERE is_default = 1`); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE language_models SET is_default = 1 WHERE name = ?`, m.Name)
	return err
}

func modelNameTaken(name string, err error) error {
	if taken(err) {
		return model.Errorf(model.CodeConflict, "There already is a language model %q: choose another name.", name)
	}
	return err
}

// modelRowOf seals the key. keyMu is held.
func (s *Store) modelRowOf(m model.LanguageModel) (modelRow, error) {
	row := modelRow{Name: m.Name, Provider: m.Provider, BaseURL: m.BaseURL, Model: m.Model,
		APIKey: column[value]{clearValue(m.APIKey)}, ContextTokens: m.ContextTokens, Images: m.Images,
		PriceInput: m.PriceInput, PriceOutput: m.PriceOutput, Script: m.Script,
		CreatedAt: orNow(m.CreatedAt), UpdatedAt: orNow(m.UpdatedAt)}
	if !row.APIKey.V.Sealed || m.APIKey.Unreadable {
		return row, nil
	}
	sealed, err := s.sealer.Seal([]byte(m.APIKey.Text), modelContext(m.Name))
	row.SealedKey = sealed
	return row, err
}

// languageModel opens the key. keyMu is held.
func (s *Store) languageModel(r modelRow) model.LanguageModel {
	key := model.Value{Text: r.APIKey.V.Text, Plain: r.APIKey.V.Plain}
	if r.APIKey.V.Sealed {
		plain, err := s.sealer.Open(r.SealedKey, modelContext(r.Name))
		key = model.Value{Text: string(plain), Unreadable: err != nil}
	}
	return model.LanguageModel{Name: r.Name, Provider: r.Provider, BaseURL: r.BaseURL, Model: r.Model, APIKey: key,
		ContextTokens: r.ContextTokens, Images: r.Images, Default: r.Default, PriceInput: r.PriceInput,
		PriceOutput: r.PriceOutput, Script: r.Script, CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time}
}

// sealedModelKeys lists the keys of models that are sealed.
func sealedModelKeys(rows []modelRow) []sealedValue {
	var keys []sealedValue
	for _, r := range rows {
		keys = append(keys, sealedValue{sealed: r.SealedKey, context: modelContext(r.Name),
			words:  fmt.Sprintf("the key of language model %q", r.Name),
			update: `UPDATE language_models SET sealed_key = ? WHERE name = ?`, key: []any{r.Name}})
	}
	return keys
}
