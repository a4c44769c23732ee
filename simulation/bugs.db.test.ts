import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { Bug } from './bugs.ts'
import type { Template } from './people.ts'
import { runSeed } from './run.ts'
import { makeTemplate } from './template.ts'

/** One for each test: a bug changes its database for good. */
let template: Template
beforeEach(async () => {
  template = await makeTemplate(inject('ownerUrl'))
})
afterEach(() => template?.drop())

/** As many as a chance event may need to come up. */
const ENOUGH = 20

async function firstFound(bug: Bug): Promise<string> {
  for (let seed = 1; seed <= ENOUGH; seed += 1) {
    const { violations } = await runSeed(template, seed, { bug })
    if (violations.length > 0) return violations.join('\n')
  }
  return 'nothing'
}

describe('a planted bug is found', () => {
  it.each<[Bug, RegExp]>([
    ['sign-twice', /has 2 transfers that arrived|is called expired and arrived/],
    ['credit-at-the-head', /was credited before it was solid/],
    ['trust-the-reply', /was settled on hearsay/],
    ['skip-the-hold', /postings say|open withdrawals/],
  ])('%s', async (bug, found) => {
    expect(await firstFound(bug)).toMatch(found)
  })
})

describe('a seed', () => {
  it('gives the same run, step by step, and another one than the next', async () => {
    const one = await runSeed(template, 3)
    expect(one.trace.length).toBeGreaterThan(40)
    expect((await runSeed(template, 4)).hash).not.toBe(one.hash)
    expect((await runSeed(template, 3)).trace).toEqual(one.trace)
  })
})
