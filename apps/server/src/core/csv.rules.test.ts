import { expect, it } from 'vitest'
import { csvLine } from './csv.rules.ts'

it.each([
  [['a', 'b'], 'a,b\r\n'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"\r\n'],
  [['-12.50', '3.00'], '-12.50,3.00\r\n'],
  [['=HYPERLINK("x")', '+1+1', '@cmd', '-2+3'], `"'=HYPERLINK(""x"")",'+1+1,'@cmd,'-2+3\r\n`],
])('writes %j as one line that no spreadsheet takes for a formula', (cells, line) => {
  expect(csvLine(cells)).toBe(line)
})

it('quotes what begins with anything like a sign of a formula, also behind what is not seen', () => {
  const signs = '=+-@＝﹦＋﹢－﹣＠﹫−‐‑‒–—―⁼₌⁺₊⁻₋﬩˖˗⁃➕➖꞊⹀゠᐀꓿᛭⩵'
  for (const before of ['', ' ', '\u200b', '\u202e\u2060', '\ufeff', '\u00a0', '\u00ad'])
    for (const sign of signs) {
      const cell = `${before}${sign}HYPERLINK(1)`
      expect(csvLine([cell])).toBe(`'${cell}\r\n`)
    }
  for (const before of ['\t', '\r', '\n']) expect(csvLine([`${before}x`])).toMatch(/^"?'/)
})

it('knows every sign of Unicode that a program turns into a plain one', () => {
  const turned = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((sign) => /^[=+\-@]/.test(sign.normalize('NFKC')) || /^\p{Pd}/u.test(sign))
  expect(turned.length).toBeGreaterThan(40)
  for (const sign of turned) expect(csvLine([`${sign}A1`])).toBe(`'${sign}A1\r\n`)
})

it('quotes what a spreadsheet whose cells end elsewhere would take for a cell of its own', () => {
  for (const end of [';', '；', '\t', '\r\n', '\u2028'])
    for (const sign of '=+-@＝−')
      expect(csvLine([`ana${end} ${sign}HYPERLINK(1)`])).toContain(`ana${end}' ${sign}HYPERLINK(1)`)
  expect(csvLine(['ana; luis\n3 - 2'])).toBe('"ana; luis\n3 - 2"\r\n')
})

it('leaves phones, numbers and names as they are', () => {
  for (const cell of [
    '+573001234567',
    '-12.50',
    '+1.5',
    '0.25',
    'Ana-Sofía',
    'a=b',
    'ana@example.com',
    '(300) 1',
    '3−1',
    '€5',
  ])
    expect(csvLine([cell])).toBe(`${cell}\r\n`)
  for (const cell of ['+1+1', '+57 300', '-2+3', '--1', '＋573001234567', '+A1', '+1,5'])
    expect(csvLine([cell])).toContain(`'${cell}`)
})
