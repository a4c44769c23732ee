import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as contract from './index.ts'
import { spelt } from './spelt.ts'
import { linkCode, plainPhone, plainTyped } from './typed.ts'

/** What copying brings, between and around what is meant. */
const COPIED = [
  0xad, 0x34f, 0x61c, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e,
  0x2060, 0x2061, 0x2064, 0x2066, 0x2067, 0x2068, 0x2069, 0xfe0f, 0xfeff, 0x3164, 0xe0001, 0xe0041,
].map((code) => String.fromCodePoint(code))

it.each(COPIED.map((sign) => [sign.codePointAt(0)?.toString(16), sign] as const))(
  'U+%s is nobody’s to see, wherever it stands',
  (_code, sign) => {
    expect(plainTyped(`${sign}ana${sign}@x.com${sign}`)).toBe('ana@x.com')
    expect(spelt(`${sign}An${sign}a${sign}`)).toBe('Ana')
  },
)

it.each([
  ['\u00a01\u00a0000,50\u202f', '1 000,50'],
  ['ana\u2011maria@x.com', 'ana-maria@x.com'],
  ['ａｎａ＠ｘ．ｃｏｍ', 'ana@x.com'],
  ['１２３４５６７', '1234567'],
  ['٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹', '0123456789 0123456789'],
  ['ABCD1\u20112345\u20112', 'ABCD1-2345-2'],
  ['José Ñandú', 'José Ñandú'],
])('%j is read as %j', (typed, plain) => {
  expect(plainTyped(typed)).toBe(plain)
})

it('the digits of every script are 0 to 9', () => {
  const systems = Intl.supportedValuesOf('numberingSystem').filter((system) => {
    const { format } = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false })
    return /^\p{Nd}{10}$/u.test(format(1_234_567_890))
  })
  expect(systems.length).toBeGreaterThan(50)
  for (const system of systems) {
    const { format } = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false })
    expect([system, plainTyped(format(1_234_567_890))]).toEqual([system, '1234567890'])
  }
})

it('a phone number is kept without what it is written with', () => {
  for (const typed of [
    '\u202a+57\u00a0300\u00a0123\u20114567\u202c',
    '+57 (300) 123.4567',
    '＋５７３００１２３４５６７',
  ])
    expect(plainPhone(typed)).toBe('+573001234567')
})

it.each([' ', '.', ')', ',', '\u200b', '\u2060', ').', '…', '»', '!', '👍', '\u00a0', '/', '*', '">'])(
  'a link with %j behind it has the code of its member',
  (behind) => {
    expect(linkCode(`1234567${behind}`)).toBe('1234567')
  },
)
it.each(['x0', '0x', '12345678', '123 4567', 'abc1234567'])('%j stays what nobody has', (code) => {
  expect(linkCode(code)).toBe(code)
})

describe('a name', () => {
  it.each([
    ['Persian', 'علی\u200cرضا'],
    ['Devanagari', 'क्\u200dष'],
    ['Sinhala', 'ක්\u200dරිෂ්ණ'],
    ['Malayalam, at its end', 'ശ്രീജന്\u200d'],
    ['a family', 'Ana 👨\u200d👩\u200d👧'],
    ['a heart on fire', '❤\ufe0f\u200d🔥'],
    ['a skin tone and a profession', '👩🏽\u200d⚕\ufe0f'],
    ['a flag of a region', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['a variant of a Chinese letter', '葛\u{e0100}城'],
    ['marks that are not composed', 'Jose\u0301'],
    ['an apostrophe', 'O’Brien'],
    ['five words', 'María de los Ángeles Pérez'],
    ['half a pair, which is refused', 'Ana \ud83d'],
  ])('keeps how it is spelt: %s', (_what, name) => {
    expect(spelt(name)).toBe(name)
  })

  it.each([
    ['So\u200dpor\u200cte', 'Soporte'],
    ['\u200cعلی\u200d', 'علی'],
    ['А\u200dна', 'Ана'],
    ['👨\u200d', '👨'],
    ['Ana\u00a0María\tPaz\n', 'Ana María Paz'],
    ['\u0041\ufe0f', 'A'],
  ])('loses the rest: %j', (typed, name) => {
    expect(spelt(typed)).toBe(name)
  })
})

/** What a person types or pastes in any call, by the name of its field. */
const TYPED: Readonly<Record<string, string>> = {
  ...{ email: 'ana@example.com', username: 'ana', phone: '+573001234567', phone_number: '+573001234567' },
  ...{
    usdt_wallet: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
    wallet_address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  },
  ...{
    address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
    used_code: '1234567',
    secret_code: '1234567',
    code: '123456',
    otp: '123456',
  },
  ...{
    amount: '50.25',
    percent: '0.5',
    percentage: '0.5',
    difference: '50.25',
    txn_id: 'AB12CD34',
    token: 'a'.repeat(30),
  },
  ...{ q: 'ana', search: 'ana', member: 'ana', sponsor: 'ana', who: 'ana', subject: 'withdrawal:17' },
}

function typedFields() {
  const isInput = ([name]: [string, unknown]) => /(Body|Query|Filter)$/.test(name)
  return Object.entries(contract)
    .filter(isInput)
    .flatMap(([name, schema]) => {
      const fields = schema instanceof z.ZodObject ? Object.entries<z.ZodType>(schema.shape) : []
      return fields.flatMap(([field, type]) =>
        TYPED[field] === undefined ? [] : [[name, field, type] as const],
      )
    })
}

it('is taken by every call as it would have been typed', () => {
  const fields = typedFields()
  expect(fields.length).toBeGreaterThan(60)
  // A token of a reset stands by itself, and `otp` of a reset is the code of its e-mail.
  for (const [call, field, type] of fields) {
    const plain = type.safeParse(TYPED[field])
    expect([call, field, plain.success]).toEqual([call, field, true])
    const [first = '', ...rest] = TYPED[field] ?? ''
    const pasted = type.safeParse(`\u202a${first}\u200b${rest.join('')}\u00a0\u2060`)
    expect([call, field, pasted.data]).toEqual([call, field, plain.data])
  }
})
