import { expect, test } from './fixture.ts'
import { arrivals } from './money-out/audit.ts'
import { BOUNDARIES } from './money-out/boundaries.ts'
import { cross, type Stage, setStage } from './money-out/crossing.ts'
import type { Member } from './money-out/people.ts'

test.describe.configure({ mode: 'serial' })

test.describe('a withdrawal is paid once, whoever is killed with -9 while it is', () => {
  let stage: Stage
  let member: Member

  test.beforeAll(async () => {
    test.setTimeout(240_000)
    stage = await setStage()
    member = await stage.newMember()
  })
  test.afterAll(async () => {
    await stage?.scene.product.remove()
  })

  for (const [place, boundary] of BOUNDARIES.entries()) {
    test(`${boundary.name}: ${boundary.victim} is killed`, async () => {
      expect(await cross(stage, boundary, boundary.victim, { member, amount: `20.0${place + 1}` })).toEqual(
        [],
      )
    })
  }

  test('in the end as many transfers have arrived as withdrawals were asked for', async () => {
    expect(await arrivals(stage.scene, member)).toBe(BOUNDARIES.length)
  })
})
