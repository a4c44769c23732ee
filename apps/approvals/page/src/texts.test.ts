import { describe, expect, it } from 'vitest'
import en from './locales/en.json'
import es from './locales/es.json'
import { textsIn } from './texts.ts'
import { timeLeft } from './time.rules.ts'

const texts = { es: es as Record<string, string>, en: en as Record<string, string> }

describe('the texts', () => {
  it('are the same in both languages, with the same places to fill', () => {
    expect(Object.keys(en)).toEqual(Object.keys(es))
    const places = (text = '') => (text.match(/\{\{\w+\}\}/g) ?? []).sort()
    for (const key of Object.keys(es)) expect(places(texts.en[key]), key).toEqual(places(texts.es[key]))
  })

  it('count in words', () => {
    const { say } = textsIn('es')
    expect(say('shown', { count: 1 })).toBe('1 retiro')
    expect(say('shown', { count: 1500 })).toBe('1,500 retiros')
  })

  it('put values in as they are, and none into another', () => {
    const { say } = textsIn('en')
    expect(say('approvedBy', { names: '{{names}} $& <b>' })).toBe('Approved by {{names}} $& <b>')
  })

  it('say how many approvals it takes as the least: the signer’s key file may ask for more', () => {
    const counts = { count: 1, given: 0, needed: 1 }
    for (const key of ['approvals', 'state.more', 'state.moreDecisions'] as const) {
      expect(textsIn('en').say(key, counts)).toContain('0 of at least 1 ')
      expect(textsIn('es').say(key, counts)).toContain('0 de al menos 1 ')
    }
  })

  it('have a name for what nobody foresaw', () => {
    expect(textsIn('en').sayCode('something_new')).toBe('The signer said: something_new')
    expect(textsIn('es').sayRisk('something_new')).toBe('something_new')
  })
})

it.each([
  [0n, '0.00'],
  [1n, '0.000001'],
  [999_999_999_999_999_999n, '999,999,999,999.999999'],
  [1_500_000_000n, '1,500.00'],
])('%s micro-USDT are written %s, in both languages', (micro, text) => {
  expect(textsIn('es').usdt(micro)).toBe(text)
  expect(textsIn('en').usdt(micro)).toBe(text)
})

it.each([
  [600_000, '10:00'],
  [599_001, '10:00'],
  [61_000, '1:01'],
  [1, '0:01'],
  [0, '0:00'],
  [-5_000, '0:00'],
  [86_400_000, '24:00:00'],
  [3_661_000, '1:01:01'],
])('%i ms are %s', (ms, text) => {
  expect(timeLeft(ms)).toBe(text)
})
