import { accountXpub, depositAddress } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { createTestServer, someone, testConfig } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { ensureInstallation } from './installation.commands.ts'
import { createRoot } from './registration.commands.ts'

const server = await suiteFixture(createTestServer, [])

describe('an installation', () => {
  it('starts again as what it is', async () => {
    await ensureInstallation(server.context)
    const company = await server.context.db
      .selectFrom('deposit_address')
      .select('address')
      .where('member_id', '=', 0n)
      .executeTakeFirstOrThrow()
    expect(company.address).toBe(depositAddress(server.context.config.depositXpub, 0))
  })

  it.each([
    ['network', { network: 'nile' }, 'TRON_NETWORK: this database belongs to devnet, not to nile'],
    [
      'token',
      { usdtContract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
      'TRON_NETWORK: this database counts USDT of',
    ],
    [
      'key',
      {
        depositXpub: accountXpub(
          'legal winner thank year wave sausage worth useful legal winner thank yellow',
        ),
      },
      'TRON_XPUB: the deposit addresses in this database were derived from another xpub',
    ],
  ] as const)('refuses another %s, in one line, and changes nothing', async (_name, overrides, line) => {
    const config = testConfig(server.database.serverUrl, overrides)
    const before = await server.context.db.selectFrom('installation').selectAll().execute()
    await expect(ensureInstallation({ db: server.context.db, config })).rejects.toThrow(line)
    expect(await server.context.db.selectFrom('installation').selectAll().execute()).toEqual(before)
  })

  it('has one first member, however often one is made', async () => {
    const roots = await Promise.all(
      Array.from({ length: 5 }, () => createRoot(server.context.db, someone(), new Date())),
    )
    expect(roots.every((id) => id === server.rootId)).toBe(true)
  })
})
