import { expect, test } from './fixture.ts'
import { runKills } from './kill-test.ts'

test('every process killed at once, three times, while ten members invest: nothing is lost or paid twice', async () => {
  test.setTimeout(240_000)
  const report = await runKills({ kills: 3, seed: 20_261_120, say: () => undefined })
  expect(report.faults).toEqual([])
  expect(report.paymentsSent).toBeGreaterThan(4)
  expect(report).toMatchObject({ credited: report.paymentsSent, investments: report.paymentsSent })
})
