/** Examples for the description of the API, made from its schemas. */

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

const INSTANT = '2026-05-03T15:00:00.000Z'
const ADDRESS = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
const TXID = 'a'.repeat(64)

/** Values that people recognise, by the name of the field. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  address: ADDRESS,
  after: '17',
  amount: '100.00',
  before: '4711-0',
  captcha: 'eyJhbGdvcml0aG0iOiJTSEEtMjU2In0=',
  code: '123456',
  day: '2026-05-03',
  detail: 'La cantidad no es válida.',
  difference: '-1.00',
  email: 'ana@example.com',
  first_name: 'Ana',
  from: '2026-01-01',
  id: '17',
  initials: 'AL',
  last_name: 'López',
  locale: 'es',
  member: '17',
  message: 'Listo.',
  otp: '123456',
  page: '1',
  page_size: '10',
  password: 'a long secret phrase',
  password2: 'a long secret phrase',
  current_password: 'the phrase before it',
  percentage: '0.25',
  period: '2026-05-03',
  phone: '+34600000000',
  phone_number: '+34600000000',
  pool: 'profit',
  q: 'ana',
  reason: 'It was sent twice.',
  identified: 'Passport and face on a video call.',
  ref_code: '1234567',
  starts_on: '2026-06-01',
  text: 'When is my withdrawal paid?',
  to: '2026-12-31',
  token: 'f'.repeat(43),
  txid: TXID,
  txn_id: 'f3b0c442',
  usdt_wallet: ADDRESS,
  used_code: '1234567',
  secret_code: '1234567',
  username: 'ana',
  wallet_address: ADDRESS,
  nonce: '5d'.repeat(32),
  year: '2026',
}

const BY_FORMAT: Readonly<Record<string, unknown>> = {
  'date-time': INSTANT,
  date: '2026-05-03',
  email: 'ana@example.com',
  uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  guid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
}

/** By what a pattern holds: amounts, nodes of a tree, days, numbers in a query. */
const BY_PATTERN: readonly (readonly [string, string])[] = [
  ['\\.\\d{2,6}', '100.00'],
  ['O-[1-9]', 'O-17'],
  ['2\\d{3}-', '2026-05-03'],
  ['^\\d{1,9}$', '10'],
  ['^\\d{4}-(0[1-9]|1[0-2])$', '2026-05'],
  ['^\\d{1,16}\\.\\d{1,18}$', '1777777777000.17'],
]

function textOf(schema: JsonSchema, name: string): unknown {
  const [, fitting] = BY_PATTERN.find(([part]) => schema.pattern?.includes(part) === true) ?? []
  return fitting ?? BY_FORMAT[schema.format ?? ''] ?? BY_NAME[name] ?? 'text'
}

function objectOf(schema: JsonSchema, isWanted: (name: string) => boolean): Record<string, unknown> {
  const properties = Object.entries(schema.properties ?? {})
  return Object.fromEntries(
    properties.filter(([name]) => isWanted(name)).map(([name, own]) => [name, exampleOf(own, name)]),
  )
}

/** @param name of the field that it is the schema of */
export function exampleOf(schema: JsonSchema, name: string): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const [either] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (either !== undefined) return exampleOf(either, name)
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'object':
      return objectOf(schema, () => true)
    case 'array':
      return [exampleOf(schema.items ?? {}, name)]
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, (schema.exclusiveMinimum ?? 0) + 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return textOf(schema, name)
  }
}

/** A body with what it needs, and no more. */
export function bodyExample(schema: JsonSchema): unknown {
  const [either] = schema.anyOf ?? schema.oneOf ?? []
  if (either !== undefined) return bodyExample(either)
  if (schema.type !== 'object') return exampleOf(schema, '')
  const required = schema.required ?? []
  return objectOf(schema, (name) => required.includes(name))
}
