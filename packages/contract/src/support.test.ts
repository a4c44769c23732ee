import { describe, expect, it } from 'vitest'
import { LONGEST_SUPPORT_TEXT, supportMessageBody } from './support.ts'

const read = (text: unknown, topic?: unknown) => supportMessageBody.safeParse({ text, topic })
const kept = (text: string) => read(text).data?.text
const refused = (text: unknown) => read(text).error?.issues[0]?.message

describe('a message to support', () => {
  it.each([
    ['  hola\n', 'hola'],
    ['uno\r\ndos\rtres\u2028cuatro', 'uno\ndos\ntres\ncuatro'],
    ['a\tb', 'a b'],
    ['a\u0000b\u0007c\u001b[31m\u009f', 'abc[31m'],
    ['pago \u202eotnemele\u202c aquí', 'pago otnemele aquí'],
    ['\ufeff¿Dónde está?', '¿Dónde está?'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['👨‍👩‍👧 é ñ 漢字 مرحبا', '👨‍👩‍👧 é ñ 漢字 مرحبا'],
    ['half of a pair: \ud83d', 'half of a pair: \ufffd'],
  ])('%j is kept as %j', (typed, text) => {
    expect(kept(typed)).toBe(text)
  })

  it('is at most so long, counted after what is taken out', () => {
    const longest = 'x'.repeat(LONGEST_SUPPORT_TEXT)
    expect(kept(` ${longest}\u0000 `)).toBe(longest)
    expect(refused(`${longest}x`)).toBe('support_text_too_long')
    expect(refused('x'.repeat(50_000))).toBe('support_text_too_long')
  })

  it.each(['', '   \n\t', '\u0000\u202e\ufeff'])('is something to read, not %j', (nothing) => {
    expect(refused(nothing)).toBe('field_required')
  })

  it.each([null, 7, {}, ['a']])('is text, not %j', (value) => {
    expect(read(value).success).toBe(false)
  })

  it('may say what it is about, from a closed list', () => {
    expect(read('a', 'payment').data?.topic).toBe('payment')
    expect(read('a', null).success).toBe(true)
    expect(read('a', 'gossip').success).toBe(false)
  })
})
