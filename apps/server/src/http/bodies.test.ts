import { describe, expect, it } from 'vitest'
import { isTooDeep } from './bodies.ts'

describe('nesting', () => {
  it.each([
    ['a plain object', '{"a":1}', false],
    ['exactly as deep as allowed', '['.repeat(32) + ']'.repeat(32), false],
    ['one deeper', '['.repeat(33) + ']'.repeat(33), true],
    ['objects and arrays count alike', '{"a":['.repeat(17), true],
    ['brackets in a string do not count', `{"a":"${'['.repeat(100)}"}`, false],
    ['an escaped quote does not end a string', `{"a":"\\"${'['.repeat(100)}"}`, false],
    ['an escaped backslash does not escape the quote', `{"a":"\\\\",${'"b":['.repeat(40)}`, true],
    ['many siblings are not deep', `[${'[],'.repeat(1000)}[]]`, false],
  ])('%s', (_name, text, expected) => {
    expect(isTooDeep(text)).toBe(expected)
  })
})
