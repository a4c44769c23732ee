import { expect, inject, it } from 'vitest'
import { ROLES, type Role } from './attack.ts'
import { attackAll } from './red-team.ts'

it.each(Object.keys(ROLES) as Role[])(
  'with all that the role of the %s may do, no balance rises and no money leaves but by its own work',
  async (role) => {
    const [report] = await attackAll(inject('ownerUrl'), { seed: 1, calls: 3, roles: [role] })
    expect(report?.outcome.breaches).toEqual([])
    expect(report?.faults).toEqual([])
    // That it tried is a part of the test: hundreds of attempts, almost all refused.
    expect(report?.outcome.tried).toBeGreaterThan(1_000)
    expect((report?.outcome.refused ?? 0) / (report?.outcome.tried ?? 1)).toBeGreaterThan(0.5)
  },
)
