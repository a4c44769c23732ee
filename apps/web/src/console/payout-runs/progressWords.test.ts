import i18next from 'i18next'
import { describe, expect, it } from 'vitest'
import { formatsFor } from '../../ui/format.ts'
import en from './locales/en.json'
import es from './locales/es.json'
import { progressWords } from './progressWords.ts'
import { progressOf } from './runStages.ts'

async function wordsIn(lng: 'en' | 'es', progress: { done: number; total: number; per_second: number }) {
  const texts = i18next.createInstance()
  await texts.init({
    lng,
    resources: { en: { 'console/payout-runs': en }, es: { 'console/payout-runs': es } },
    interpolation: { escapeValue: false },
  })
  const known = progressOf({ state: 'posting', progress })
  return known && progressWords(known, texts.getFixedT(lng, 'console/payout-runs'), formatsFor(lng))
}

const progress = { done: 412_000, total: 1_000_000, per_second: 85_000 }

describe('progress in words', () => {
  it('tells how much, how fast and how long', async () => {
    expect(await wordsIn('en', progress)).toBe('412,000 of 1,000,000 · 85,000/s · about 7 s left')
    expect(await wordsIn('es', progress)).toBe('412,000 de 1,000,000 · 85,000/s · faltan unos 7 s')
  })

  it('leaves out what nobody knows', async () => {
    expect(await wordsIn('en', { ...progress, per_second: 0 })).toBe('412,000 of 1,000,000')
    expect(await wordsIn('en', { ...progress, done: 1_000_000 })).toBe('1,000,000 of 1,000,000 · 85,000/s')
  })

  it('counts long waits in minutes and hours', async () => {
    expect(await wordsIn('en', { ...progress, per_second: 900 })).toContain('about 11 min left')
    expect(await wordsIn('es', { ...progress, per_second: 30 })).toContain('faltan unas 6 h')
  })
})
