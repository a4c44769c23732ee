/** Fixtures on a database of their own: one for all tests of a file, or one for each test. */
import { afterAll, afterEach, beforeEach, expect, inject } from 'vitest'

import './answers.ts'

type Create<Fixture, Settings extends unknown[]> = (
  adminUrl: string,
  ...settings: Settings
) => Promise<Fixture>

interface Closable {
  close(): Promise<unknown>
}

/** One whose ledger can be checked. */
interface Checked extends Closable {
  faults(): Promise<readonly string[]>
}

/** Closed after the tests of the file. */
export async function suiteFixture<Fixture extends Closable, Settings extends unknown[]>(
  create: Create<Fixture, Settings>,
  ...settings: Settings
): Promise<Fixture> {
  const fixture = await create(inject('ownerUrl'), ...settings)
  afterAll(() => fixture.close())
  return fixture
}

async function closeSound(fixture: Checked): Promise<void> {
  try {
    expect(await fixture.faults()).toEqual([])
  } finally {
    await fixture.close()
  }
}

/** Its ledger must have no faults at the end. */
export async function soundSuiteFixture<Fixture extends Checked, Settings extends unknown[]>(
  create: Create<Fixture, Settings>,
  ...settings: Settings
): Promise<Fixture> {
  const fixture = await create(inject('ownerUrl'), ...settings)
  afterAll(() => closeSound(fixture))
  return fixture
}

/** A new one for each test, under the same name; its ledger must have no faults at the end. */
export function soundTestFixture<Fixture extends Checked, Settings extends unknown[]>(
  create: Create<Fixture, Settings>,
  ...settings: Settings
): Fixture {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await create(inject('ownerUrl'), ...settings)
  })
  afterEach(() => closeSound(fixture))
  return new Proxy<Fixture>(Object.create(null), {
    get: (_, name) => Reflect.get(fixture, name),
    set: (_, name, value) => Reflect.set(fixture, name, value),
  })
}
