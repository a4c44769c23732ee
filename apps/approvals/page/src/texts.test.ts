import { describe, expect, it } from 'vitest'
import { unitOf } from './decisions.rules.ts'
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
    expect(say('shown', { count: 1500 })).toBe('1.500 retiros')
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
  [0n, '0,00', '0.00'],
  [1n, '0,000001', '0.000001'],
  [999_999_999_999_999_999n, '999.999.999.999,999999', '999,999,999,999.999999'],
  [1_500_000_000n, '1.500,00', '1,500.00'],
])('%s micro-USDT are written %s in Spanish, %s in English', (micro, es, en) => {
  expect(textsIn('es').usdt(micro)).toBe(es)
  expect(textsIn('en').usdt(micro)).toBe(en)
})

it.each([
  [['es-MX', 'es'], '1,500.00'],
  [['en-US', 'es-ES'], '1.500,00'],
  [['es-419'], '1.500,00'],
])('are written as in the country of %j', (tags, written) => {
  expect(textsIn('es', tags).usdt(1_500_000_000n)).toBe(written)
  expect(textsIn('es', tags).setting('amount', '1500')).toBe(`$${written}`)
  expect(textsIn('en', tags).usdt(1_500_000_000n)).toBe('1,500.00')
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

it.each([
  ['investment.largest', '250000.5', '$250.000,50', '$250,000.50'],
  ['passive.percentPerPeriod', '9', '9\u00a0%', '9%'],
  ['direct.levels', '0.000001', '0,000001\u00a0%', '0.000001%'],
  ['investment.lockDays', '1', '1 día', '1 day'],
  ['investment.invoiceMinutes', '90', '90 minutos', '90 minutes'],
  ['passive.capMultiple', '2', '× 2', '× 2'],
  ['passive.capMultiple', 'null', 'Sin tope', 'No cap'],
  ['direct.compression', 'true', 'Sí', 'Yes'],
  ['passive.weekdaysOnly', 'false', 'No', 'No'],
  ['timeZone', 'America/Bogota', 'America/Bogota', 'America/Bogota'],
  ['nobody.knows', '5000', '5000', '5000'],
])('the setting %s of %s reads %s', (name, value, es, en) => {
  expect(textsIn('es').setting(unitOf(name), value)).toBe(es)
  expect(textsIn('en').setting(unitOf(name), value)).toBe(en)
})

it.each([
  ['investment.largest', '1e3'],
  ['investment.largest', '-5'],
  ['investment.lockDays', '[]'],
  ['investment.feePercent', '0.0000001'],
  ['direct.compression', '1'],
  ['binary.percent', 'null'],
])('what is no value of %s is shown as it is written: %s', (name, value) => {
  expect(textsIn('es').setting(unitOf(name), value)).toBe(value)
})

it.each([
  ['2027-01-31', '31 ene 2027', 'Jan 31, 2027'],
  ['2027-13-31', '2027-13-31', '2027-13-31'],
  ['tomorrow', 'tomorrow', 'tomorrow'],
])('the day %s is written %s', (text, es, en) => {
  expect(textsIn('es').day(text)).toBe(es)
  expect(textsIn('en').day(text)).toBe(en)
})
