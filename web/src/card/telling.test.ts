import { expect, it } from 'vitest'
import { parseJson } from '../lib/json'
import { tellingArgument } from './telling'

it.each([
  ['{"limit":500,"sql":"select a,\\n  b from t"}', 'select a, b from t'],
  ['{"dry_run":true}', 'dry_run: true'],
  ['{"id":9007199254740993}', '9007199254740993'],
  ['{"amount":1284.00,"rows":[1]}', 'amount: 1284.00'],
  ['{"rows":[{"a":1},{"a":2}]}', 'rows: 2 items'],
  ['{"filter":{"a":1}}', 'filter: {…}'],
  ['{"path":"","name":"x"}', 'x'],
  ['{"api_key":"s3cret-value","note":"ok"}', 'note: ok'],
  ['{"password":"s3cret-value"}', ''],
  ['{}', ''],
  ['null', ''],
  [`{"text":"${'a'.repeat(500)}"}`, 'a'.repeat(159) + '…'],
])('tellingArgument(%s)', (args, want) => {
  expect(tellingArgument(parseJson(args))).toBe(want)
})
