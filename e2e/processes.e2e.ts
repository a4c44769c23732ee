import { expect, test } from '@playwright/test'
import { runDeposits } from '../simulation/processes/deposits.ts'
import { MOMENTS } from '../simulation/processes/moments.ts'
import { type Member, newMember } from '../simulation/processes/people.ts'
import { arrivalFaults, type Fixture, killAt, openFixture } from '../simulation/processes/withdrawals.ts'

test('every process killed at once, three times, while ten members invest: nothing is lost or paid twice', async () => {
  test.setTimeout(240_000)
  const result = await runDeposits({ kills: 3, seed: 20_261_120, say: () => undefined })
  expect(result.faults).toEqual([])
  expect(result.paymentsSent).toBeGreaterThan(4)
})

test.describe('a withdrawal is paid once, whichever process is killed with -9 while it is', () => {
  test.describe.configure({ mode: 'serial' })
  let fixture: Fixture
  let member: Member

  test.beforeAll(async () => {
    test.setTimeout(240_000)
    fixture = await openFixture()
    member = await newMember(fixture.product, 'retira')
  })
  test.afterAll(async () => {
    await fixture?.product.remove()
  })

  for (const [place, moment] of MOMENTS.entries()) {
    test(`${moment.name}: ${moment.victim} is killed`, async () => {
      const faults = await killAt(fixture, moment, moment.victim, { member, amount: `20.0${place + 1}` })
      expect(faults).toEqual([])
    })
  }

  test('in the end as many transfers have arrived as withdrawals were asked for', async () => {
    expect(await arrivalFaults(fixture, member, MOMENTS.length)).toEqual([])
  })
})
