import { describe, expect, it } from 'vitest'

const files = import.meta.glob<Record<string, unknown>>(
  ['../{features,console}/**/locales/*.json', '../ui/locales/*.json', './locales/*.json'],
  { import: 'default', eager: true },
)

/** Keys down to the leaves, plural forms taken as one: Spanish has one form more than English. */
function keysOf(texts: Record<string, unknown>, path = ''): string[] {
  const keys = Object.entries(texts).flatMap(([name, value]) => {
    const key = `${path}${name.replace(/_(one|many|other)$/, '')}`
    return typeof value === 'string' ? [key] : keysOf(value as Record<string, unknown>, `${key}.`)
  })
  return [...new Set(keys)].sort()
}

const gapsOf = (texts: Record<string, unknown>): string[] =>
  [...JSON.stringify(texts).matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '').sort()

const spanish = Object.keys(files).filter((path) => path.endsWith('/es.json'))

describe('the texts', () => {
  it('are all found', () => {
    expect(spanish.length).toBeGreaterThanOrEqual(8)
  })

  it.each(spanish)('%s says in English what it says in Spanish', (path) => {
    const es = files[path] ?? {}
    const en = files[path.replace('es.json', 'en.json')] ?? {}
    expect(keysOf(en)).toEqual(keysOf(es))
    expect(new Set(gapsOf(en))).toEqual(new Set(gapsOf(es)))
  })
})
