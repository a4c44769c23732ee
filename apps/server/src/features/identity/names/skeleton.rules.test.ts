import { describe, expect, it } from 'vitest'
import { fold } from '../../../core/fold.rules.ts'
import { skeletonOf, skeletonsOf } from './skeleton.rules.ts'

it('a folded name is the same in another case or composition', () => {
  expect(fold('ANA')).toBe(fold('ana'))
  expect(fold('Jose\u0301')).toBe(fold('JOSÉ'))
  expect(fold('ｆull')).toBe('full')
})

describe('a skeleton', () => {
  it.each([
    ['another case', 'ANA', 'ana'],
    ['a Cyrillic а', '\u0430na', 'ana'],
    ['a Greek ο', 'p\u03bfl\u03bf', 'polo'],
    ['a capital I for an l', 'Iuis', 'luis'],
    ['a one for an l', '1uis', 'luis'],
    ['a capital I for an i', 'GIL', 'gil'],
    ['a nought for an o', '0lga', 'olga'],
    ['r and n for an m', 'carrnen', 'Carmen'],
    ['a letter of phonetics', '\u0251na', 'ana'],
    ['a letter without its dot', 'l\u0131na', 'lina'],
    ['wide letters', '\uff41\uff4e\uff41', 'ana'],
    ['a Roman numeral', '\u216fateo', 'mateo'],
    ['a ligature', '\ufb01na', 'fina'],
    ['one letter for two', 'c\u00e6sar', 'caesar'],
    ['accents', 'María', 'maria'],
    ['accents, not composed', 'Mari\u0301a', 'María'],
    ['a dot below', '\u1ea1na', 'ana'],
    ['a stroke', 'oskar', 'øskar'],
  ])('is shared by names that differ by %s', (_how, one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other))
  })

  it.each([
    ['ana', 'anna'],
    ['ana.mora', 'ana_mora'],
    ['ana1', 'ana2'],
    ['m1', 'm10'],
    ['sonia', 'sonja'],
  ])('tells %s from %s', (one, other) => {
    expect(skeletonOf(one)).not.toBe(skeletonOf(other))
  })

  it('is one of its own skeleton', () => {
    for (const name of ['María', 'Carmen', '10', '\u216f', 'Groß', 'ŋandú', 'İlker', 'ﬃ'])
      expect(skeletonOf(skeletonOf(name))).toBe(skeletonOf(name))
  })
})

it('capitals of another alphabet look like Latin ones although their small letters do not', () => {
  expect(skeletonOf('\u0405UPPOR\u0422')).not.toBe(skeletonOf('support'))
  expect(skeletonsOf('\u0405UPPOR\u0422')).toContain(skeletonOf('support'))
  expect(skeletonsOf('ana')).toEqual(['ana'])
})
