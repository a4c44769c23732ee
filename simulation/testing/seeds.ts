import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Template } from '../people.ts'
import { runSeed } from '../run.ts'
import { makeTemplate } from '../template.ts'

/** A file of seeds: each a run of its own. Several files are several hands. */
export function simulate(from: number, count: number): void {
  let template: Template
  beforeAll(async () => {
    template = await makeTemplate(inject('ownerUrl'))
  })
  afterAll(() => template?.drop())
  const seeds = Array.from({ length: count }, (_, index) => from + index)

  it.each(seeds)('seed %i: nothing is lost, paid twice or credited too soon', async (seed) => {
    const { violations, trace } = await runSeed(template, seed)
    expect(violations, trace.join('\n')).toEqual([])
  })
}
