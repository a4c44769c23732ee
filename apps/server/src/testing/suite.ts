/** Fixtures on a database of their own: one for all tests of a file, or one for each test. */
import { afterAll, afterEach, beforeEach, expect, inject } from 'vitest'

import './answers.ts'

type Create<Fixture, Settings extends unknown[]> = (
  adminUrl: string,
  ...settings: Settings
) => Promise<Fixture>

/** Closed after the tests of the file. */
export async function suiteFixture<Fixture extends { close(): Promise<unknown> }, Settings extends unknown[]>(
  create: Create<Fixture, Settings>,
  ...settings: Settings
): Promise<Fixture> {
  const fixture = await create(inject('ownerUrl'), ...settings)
  afterAll(() => fixture.close())
  return fixture
}

/** Its ledger must have no faults at the end. */
export async function soundSuiteFixture<
  Fixture extends { close(): Promise<unknown>; faults(): Promise<readonly string[]> },
  Settings extends unknown[],
>(create: Create<Fixture, Settings>, ...settings: Settings): Promise<Fixture> {
  const fixture = await create(inject('ownerUrl'), ...settings)
  afterAll(async () => {
    try {
      expect(await fixture.faults()).toEqual([])
    } finally {
      await fixture.close()
    }
  })
  return fixture
}

/** A new one for each test, under the same name; its ledger must have no faults at the end. */
export function soundTestFixture<
  Fixture extends { close(): Promise<unknown>; faults(): Promise<readonly string[]> },
  Settings extends unknown[],
>(create: Create<Fixture, Settings>, ...settings: Settings): Fixture {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await create(inject('ownerUrl'), ...settings)
  })
  afterEach(async () => {
    try {
      expect(await fixture.faults()).toEqual([])
    } finally {
      await fixture.close()
    }
  })
  return new Proxy<Fixture>(Object.create(null), {
    get: (_, name) => Reflect.get(fixture, name),
    set: (_, name, value) => Reflect.set(fixture, name, value),
  })
}
