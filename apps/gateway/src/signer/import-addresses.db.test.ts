import { connect } from '@aval/db/connect'
import { depositAddress } from '@aval/tron'
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createInstallation } from '../testing/suite.ts'
import { type AddressFile, addressFile, makeAddressFile } from './address-files.ts'
import { importAddresses } from './import-addresses.ts'
import { createAuditKey } from './keys/audit-key.ts'
import { devnetKeys } from './keys/devnet-keys.ts'
import { createKeyRing } from './keys/key-ring.ts'
import { KEYS, XPUB } from './testing/fixtures.ts'

/** Addresses from a machine without a network, by the signer's role and without its keys. */
const installation = await createInstallation(inject('ownerUrl'), XPUB, [], 'signer')
const { db, close } = connect(installation.database.signerUrl, 1, 'import in a test')
afterAll(() => close().then(installation.close))
const { rows } = installation
const AUDIT_KEY = KEYS.audit.publicKey.toString('hex')
const bring = (file: AddressFile, key: string | null = AUDIT_KEY) =>
  importAddresses(db, file, key, new Date(0))
const stored = () => rows<{ address: string }>('SELECT address FROM deposit_address ORDER BY key_index')
beforeEach(() => rows('DELETE FROM deposit_address'))

it('needs the audit key by name until one is registered', async () => {
  await expect(bring(makeAddressFile(KEYS, 0, 3), null)).rejects.toThrow('name it with --audit-key')
  expect(await bring(makeAddressFile(KEYS, 0, 3))).toBe(3)
  expect(await bring(makeAddressFile(KEYS, 3, 2), null)).toBe(2)
})

it('stores what is new of a file, once, and is in the trail', async () => {
  expect(await bring(makeAddressFile(KEYS, 0, 3))).toBe(3)
  expect(await bring(makeAddressFile(KEYS, 0, 5))).toBe(2)
  expect(await bring(makeAddressFile(KEYS, 0, 5))).toBe(0)
  expect(await stored()).toEqual([0, 1, 2, 3, 4].map((index) => ({ address: depositAddress(XPUB, index) })))
  expect(await rows("SELECT FROM audit_event WHERE action = 'deposit_addresses.import'")).not.toEqual([])
})

describe('a file', () => {
  const good = makeAddressFile(KEYS, 0, 3)
  const { depositKey, ...others } = devnetKeys()
  const foreign = createAuditKey('another deposit key')
  /** By somebody who holds another key, over what this installation's would say. */
  const resigned = (changes: Partial<AddressFile>, audit = foreign): AddressFile => {
    const ring = { ...createKeyRing({ ...others, depositKey }), audit }
    return { ...makeAddressFile(ring, 0, 3), ...changes }
  }
  const swapped = [depositAddress(XPUB, 9), ...good.addresses.slice(1)]
  it.each<[string, AddressFile, string]>([
    ['that leaves some out', makeAddressFile(KEYS, 2, 3), 'it begins at 2, and 0 is the next'],
    ['of another network', { ...good, network: 'nile' }, 'it is of nile'],
    ['of another xpub', { ...good, xpub: 'xpub' }, 'another xpub'],
    ['with an address of somebody', { ...good, addresses: swapped }, 'its signature does not fit'],
    ['that begins elsewhere', { ...good, first: 1 }, 'its signature does not fit'],
    ['by another audit key', resigned({}), 'another audit key'],
    ['that claims our audit key', resigned({ audit_key: AUDIT_KEY }), 'its signature does not fit'],
    [
      'of our key over an address that does not follow',
      makeAddressFile({ ...KEYS, depositAddress: (index) => KEYS.depositAddress(index + 1n) }, 0, 3),
      'address 0 is not derived',
    ],
  ])('%s stores nothing', async (_what, file, line) => {
    await expect(bring(file)).rejects.toThrow(line)
    expect(await stored()).toEqual([])
  })

  it('is no file of addresses when it is damaged', () => {
    for (const changes of [
      { addresses: [] },
      { first: -1 },
      { more: 1 },
      { signature: '' },
      { xpub: 'xprv' },
    ])
      expect(addressFile.safeParse({ ...good, ...changes }).success).toBe(false)
    expect(addressFile.safeParse(JSON.parse(JSON.stringify(good))).success).toBe(true)
  })
})
