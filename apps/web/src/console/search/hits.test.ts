import type { SearchHit } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { safeStore } from '../../api/storage.ts'
import { groupsOf, keepRecent, readRecent, targetOf } from './hits.ts'

const hit = (over: Partial<SearchHit>): SearchHit => ({
  kind: 'member',
  id: '7',
  member: { id: 7, username: 'ana' },
  found_by: null,
  name: null,
  email: null,
  amount: null,
  date: null,
  run: null,
  ...over,
})

/** A store that holds values as long as the test does. */
const store = () =>
  safeStore(() => {
    throw new Error('there is no storage')
  })

describe('what a search found', () => {
  it('leads to where it is shown', () => {
    expect(targetOf(hit({}))).toBe('/operator/members/7')
    expect(targetOf(hit({ kind: 'withdrawal', id: '3' }))).toBe('/operator/withdrawals?withdrawal=3')
    expect(targetOf(hit({ kind: 'deposit', id: 'ab' }))).toBe('/operator/deposits?search=ab')
    expect(targetOf(hit({ kind: 'deposit', id: 'ab', member: null }))).toBe('/operator/deposits?search=ab')
    expect(targetOf(hit({ kind: 'investment', id: '9' }))).toBe('/operator/investments?member=%239')
    expect(targetOf(hit({ kind: 'invoice', id: 'cd' }))).toBe('/operator/members/7?tab=investments&led=cd')
    expect(targetOf(hit({ kind: 'run', id: '12', member: null }))).toBe('/operator/runs/12')
  })

  it('stands by kind, in the order in which the kinds came', () => {
    const hits = [hit({}), hit({ kind: 'run' }), hit({ id: '8' })]
    expect(groupsOf(hits).map(({ kind, hits }) => [kind, hits.length])).toEqual([
      ['member', 2],
      ['run', 1],
    ])
  })

  it('is remembered when it was opened: the latest first, each once, six at most, and junk is nothing', () => {
    const kept = store()
    for (const to of ['a', 'b', 'a', 'c', 'd', 'e', 'f', 'g']) keepRecent(kept, { to, first: to, second: '' })
    expect(readRecent(kept).map(({ to }) => to)).toEqual(['g', 'f', 'e', 'd', 'c', 'a'])
    kept.set('console_recent', '[{"to":7},null]')
    expect(readRecent(kept)).toEqual([])
  })
})
