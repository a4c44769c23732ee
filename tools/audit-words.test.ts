/** Whatever the product records in its audit trail is a sentence on the console's page, in both languages. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MEMBER_KEY_KINDS } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { root } from './core/config.ts'

/** What stands behind the noun where an action is put together. */
const PUT_TOGETHER: Readonly<Record<string, readonly string[]>> = {
  code: ['correction', 'email', 'profile', 'withdrawal'],
  member_key: MEMBER_KEY_KINDS,
  outgoing_transfer: ['import', 'sign'],
  profile: ['both', 'email', 'wallet'],
  support: ['answer', 'assign', 'close'],
  support_template: ['add', 'change', 'remove'],
  withdrawal: ['cancel', 'fail', 'refuse'],
}

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const sources = globSync(['apps/{server,gateway}/src/**/*.ts', 'tools/**/*.ts'], { cwd: root })
  .filter((file) => !/\.test\.ts$|\/testing\//.test(file))
  .map(read)
  .join('\n')
const migrations = globSync('db/migrations/*.sql', { cwd: root }).map(read).join('\n')

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
const nouns = found(sources, /\baction: `([a-z_]+)\.\$\{/g)
const ACTION = "'([a-z_]+\\.[a-z_]+)'"
const actions = new Set([
  ...found(sources, new RegExp(`\\b(?:action: |action = |LOOK = |record\\()${ACTION}`, 'g')),
  ...found(migrations, new RegExp(`record_audit\\([^;]{0,120}?${ACTION}`, 'g')),
  ...nouns.flatMap((noun) => (PUT_TOGETHER[noun] ?? ['']).map((verb) => `${noun}.${verb}`)),
])

describe.each(['es', 'en'])('in %s', (language) => {
  const texts = JSON.parse(read(`apps/web/src/console/audit/locales/${language}.json`))
  it('every action has words, where it was done and where it was refused', () => {
    expect(actions.size).toBeGreaterThan(60)
    const wordless = [...actions].filter((action) => {
      const [noun = '', verb = ''] = action.split('.')
      return ['done', 'do'].some((kind) => texts[kind][noun]?.[verb] === undefined)
    })
    expect(wordless).toEqual([])
  })
})
