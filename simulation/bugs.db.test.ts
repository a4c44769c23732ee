import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Bug } from './bugs.ts'
import type { Template } from './people.ts'
import { type RunResult, runSeed } from './run.ts'
import { makeTemplate } from './template.ts'

let template: Template
beforeAll(async () => {
  template = await makeTemplate(inject('ownerUrl'))
})
afterAll(() => template?.drop())

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
  let one: RunResult
  beforeAll(async () => {
    one = await runSeed(template, 3)
  })

  it('gives the same run, step by step', async () => {
    expect(one.trace.length).toBeGreaterThan(40)
    expect((await runSeed(template, 3)).trace).toEqual(one.trace)
  })

  it('gives another run than the next one', async () => {
    expect((await runSeed(template, 4)).hash).not.toBe(one.hash)
  })
})
