package media

import "kontor.dev/kontor/internal/model"

// Stat says what a file is that Put made, by its name. One that isn't there is
// CodeNotFound.
func (s *Store) Stat(file string) (model.Media, error) {
	f, err := s.Open(file)
	if err != nil {
		return model.Media{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return model.Media{}, err
	}
	t, _ := byExtension(file)
	return model.Media{File: file, URL: URLPrefix + file, MIMEType: t.mime, Size: info.Size()}, nil
}
