/** Fixtures that serve all tests of one file, on a database of its own. */
import { afterAll, expect, inject } from 'vitest'

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
