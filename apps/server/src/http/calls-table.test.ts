import { expect, it } from 'vitest'
import { declaredRoutes } from '../testing/declared-routes.ts'
import type { Described } from './route.ts'

const HEAD = [
  'Call',
  'Who',
  'Ability',
  'Counted',
  'Confirmed by a code of the second factor',
  'Its refusals are kept',
]

function table(calls: readonly Described[]): string {
  const rows = calls.map(({ call, access, ability, limits = [], decision, audit, hidden }) => [
    `\`${call}\`${hidden === true ? ' (not described)' : ''}`,
    access,
    ability ?? '',
    [...new Set(limits.map(({ limit }) => limit))].join(', '),
    decision === undefined ? '' : 'yes',
    audit?.action ?? '',
  ])
  rows.sort(([a = ''], [b = '']) => (a.split(' ')[1] ?? '').localeCompare(b.split(' ')[1] ?? '', 'en'))
  const widths = HEAD.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(HEAD), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

it('docs/security/calls.md says of every call who may make it, as the calls declare it', async () => {
  const calls = await declaredRoutes()
  expect(calls.length).toBeGreaterThan(80)
  const text = `# Who may make which call

Written by \`npx vitest run apps/server/src/http/calls-table.test.ts -u\` from what the calls declare; \`access.md\` says what else decides.

${table(calls)}
`
  await expect(text).toMatchFileSnapshot('../../../../docs/security/calls.md')
})
