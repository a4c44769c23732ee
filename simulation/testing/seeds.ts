import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Template } from '../people.ts'
import { addReached, runSeed } from '../run.ts'
import { makeTemplate } from '../template.ts'

/** The ends that fifty seeds reach for certain; a transfer that fails in its block is rarer than that. */
const ENDS = [
  'withdrawal completed',
  'withdrawal cancelled',
  'withdrawal refused',
  'sweep settled',
  'sweep expired',
  'trx_topup settled',
  'rebroadcast',
]

/** A file of seeds: each a run of its own. Several files are several hands. */
export function simulate(from: number, count: number): void {
  let template: Template
  const reached: Record<string, number> = {}
  beforeAll(async () => {
    template = await makeTemplate(inject('ownerUrl'))
  })
  afterAll(() => template?.drop())
  const seeds = Array.from({ length: count }, (_, index) => from + index)

  it.each(seeds)('seed %i: nothing is lost, paid twice or credited too soon', async (seed) => {
    const result = await runSeed(template, seed)
    addReached(reached, result)
    expect(result.violations, result.trace.join('\n')).toEqual([])
  })

  it('gets everywhere: each way in which a withdrawal, and a transfer, can end was gone', () => {
    for (const end of ENDS) expect(reached[end], end).toBeGreaterThan(0)
  })
}
