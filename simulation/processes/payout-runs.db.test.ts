import { expect, inject, it } from 'vitest'
import { runPayoutRuns } from './payout-runs.ts'

it('workers killed with -9, two at once, and days away leave every item, posting and balance as they would be', async () => {
  const options = { members: 8_000, kills: 6, longestLife: 150, seed: 3, say: () => undefined }
  const { kills, faults, fingerprints } = await runPayoutRuns(inject('ownerUrl'), options)
  expect(kills).toBeGreaterThanOrEqual(3)
  expect(faults).toEqual([])
  expect(fingerprints.postings).not.toMatch(/^0:/)
})
