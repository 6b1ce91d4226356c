import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

const oneDoor = (name, file) => ({ name, message: `${file} is the only place that opens this door.` })

export default ts.config(
  { ignores: ['node_modules', '../assets', 'src/lib/wire.gen.ts'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...ts.configs.stylistic,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      eqeqeq: 'error',
      'no-restricted-globals': [
        'error',
        oneDoor('fetch', 'lib/api.ts'),
        oneDoor('WebSocket', 'lib/socket.ts'),
      ],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
    rules: {
      'prefer-const': 'off',
      'svelte/prefer-const': ['error', { destructuring: 'all' }],
      // The Content-Security-Policy has no 'unsafe-inline': a style attribute in
      // markup does nothing. style: directives go through the CSSOM and work.
      'no-restricted-syntax': [
        'error',
        { selector: 'SvelteAttribute[key.name="style"]', message: 'Use a class or a style: directive.' },
      ],
      'svelte/no-at-html-tags': 'error',
      'svelte/button-has-type': 'error',
      'svelte/block-lang': ['error', { script: 'ts', enforceScriptPresent: false }],
      // Prettier drops a plain space at the edge of a tag; {' '} keeps it.
      'svelte/no-useless-mustaches': 'off',
      // Our states hold raw values that are replaced, never changed in place.
      'svelte/prefer-svelte-reactivity': 'off',
      // Plain history routing: links are ordinary hrefs.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  {
    files: ['src/lib/api.ts', 'src/lib/socket.ts', 'src/**/*.test.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
  { files: ['*.config.*'], languageOptions: { globals: { ...globals.node } } },
  {
    // Browser tests: they run in Node, and talk to a Kontor that they started.
    files: ['e2e/**'],
    languageOptions: { globals: { ...globals.node } },
    rules: {
      'no-restricted-globals': 'off',
      // Fixtures that need no other say so with {}.
      'no-empty-pattern': 'off',
    },
  },
)
