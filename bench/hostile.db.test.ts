import { createTestDatabase } from '@aval/db/testing'
import { expect, inject, it } from 'vitest'
import { figuresOf, tableOf } from './hostile-report.ts'
import { runParts } from './hostile-run.ts'

it('some seconds of hostile traffic open what has no second factor and a leaked password, and nothing else', async () => {
  const database = await createTestDatabase(inject('ownerUrl'))
  try {
    const crowd = { accounts: 20, leaked: 2, guarded: 2, scrapers: 1, addresses: 300 }
    const timetable = {
      baselineMs: 4_000,
      attackMs: 12_000,
      baselineEveryMs: 1_000,
      attackEveryMs: 3_000,
      calls: 30,
      patienceMs: 30_000,
    }
    const run = await runParts(database, crowd, timetable, () => undefined)
    const figures = figuresOf(run)
    expect(figures.opened).toMatchObject({ notLeaked: 0, leakedWithSecondFactor: 0, resetCodesGuessed: 0 })
    expect(figures.victims.calm.known.succeeded).toBeGreaterThan(0)
    for (const kind of ['stuffing', 'unknown names', 'reset codes', 'availability', 'scraping'])
      expect(Object.keys(figures.answers).filter((name) => name.startsWith(kind))).not.toEqual([])
    // Times, and who gave up, are the machine's.
    const machine = { cores: 1, loadAverage: 0 }
    expect(tableOf(figures, crowd, { machine, after: machine })).toContain('Opened: password in no list')
  } finally {
    await database.drop()
  }
})
