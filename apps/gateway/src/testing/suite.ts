/** Harnesses that serve all tests of one file, on a database of its own. */
import { afterAll, inject } from 'vitest'

/** Closed after the tests of the file. */
export async function suiteHarness<Harness extends { close(): Promise<unknown> }, Settings extends unknown[]>(
  create: (adminUrl: string, ...settings: Settings) => Promise<Harness>,
  ...settings: Settings
): Promise<Harness> {
  const harness = await create(inject('ownerUrl'), ...settings)
  afterAll(() => harness.close())
  return harness
}
