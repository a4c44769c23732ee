import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './core/config.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Names of a union type, one a line. */
const unionIn = (path: string) => [...read(path).matchAll(/^ {2}\| '([a-z_]+)'/gm)].map(([, name]) => name)

/** What a function of the database answers instead of approving. */
const returned = ['0020-approvals', '0023-decisions']
  .flatMap((name) => [...read(`db/migrations/${name}.sql`).matchAll(/(?:RETURN|THEN) '([a-z_]+)'/g)])
  .map(([, name = '']) => name)
  // The first three are no refusals; the others never reach the page, which knows its approval and its signer.
  .filter((name) => !['accepted', 'applied', 'done', 'approval_not_found', 'not_for_offline'].includes(name))

test('every name by which the signer refuses an approval has a sentence on the approvals page', () => {
  const signer = 'apps/gateway/src/signer'
  const names = new Set([
    ...unionIn(`${signer}/approvals/approval.rules.ts`),
    ...unionIn(`${signer}/approvals/webauthn.rules.ts`),
    ...unionIn(`${signer}/journal/faults.rules.ts`),
    ...returned,
  ])
  expect(names.size).toBeGreaterThan(30)
  const texts = JSON.parse(read('apps/approvals/page/src/locales/en.json'))
  expect([...names].filter((name) => texts[`refusal.${name}`] === undefined)).toEqual([])
})
