import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const sources = new URL('../', import.meta.url)

it('text is written in three weights: a browser makes a face of its own for each', () => {
  const sheets = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  )
  const weights = sheets.flatMap((name) => {
    const sheet = readFileSync(new URL(name, sources), 'utf8')
    return [...sheet.matchAll(/font(?:-weight)?: *(\d{3}|bold\w*)(?! *\d)/g)].map(([, weight]) => weight)
  })
  expect([...new Set(weights)].sort()).toEqual(['400', '560', '620'])
})
