import { connect } from '@aval/db/connect'
import { DEVNET, depositAddress } from '@aval/tron'
import { afterAll, expect, inject, it } from 'vitest'
import { createInstallation } from '../testing/suite.ts'
import { readStock, storeAddresses } from './addresses.sql.ts'
import { deriveAddresses, fillStock, STOCK_AHEAD } from './addresses.ts'
import { KEYS, XPUB } from './testing/fixtures.ts'

const installation = await createInstallation(inject('ownerUrl'), XPUB, [], 'signer')
const { db, close } = connect(installation.database.signerUrl, 4, 'aval signer in a test')
afterAll(() => close().then(installation.close))
const { rows, log } = installation
const AHEAD = Number(STOCK_AHEAD)
const fill = (signal = new AbortController().signal) => fillStock({ db, keys: KEYS, log }, signal)
const indexes = async () =>
  rows<{ index: number; address: string }>(
    'SELECT key_index::int AS index, address FROM deposit_address WHERE key_index IS NOT NULL ORDER BY key_index',
  )
// As an older version stored them: the address at the member's number, and what a thief put in.
const stranger = depositAddress(XPUB, 2_000_000)
await rows(
  "INSERT INTO member (username, email, password_hash, ref_code, first_name, last_name, locale, terms_accepted_at, joined_at) SELECT n, n, 'x', 1000000 + n, '', '', 'es', now(), now() FROM generate_series(1, 60) n",
)
await rows('INSERT INTO deposit_address (address, member_id) VALUES ($1, 60), ($2, 7), ($3, 999999)', [
  depositAddress(XPUB, 60),
  stranger,
  depositAddress(XPUB, 1_999_999),
])

it('the signer derives a thousand ahead, and what an older version stored keeps its member', async () => {
  await fill()
  const derived = await indexes()
  expect(derived.map(({ index }) => index)).toEqual(derived.map((_, place) => place))
  for (const { index, address } of [0, 1, 60, AHEAD].map(
    (place) => derived[place] ?? { index: -1, address: '' },
  ))
    expect(address).toBe(depositAddress(DEVNET.xpub, index))
  expect(await readStock(db)).toMatchObject({ underived: 0n })
  expect(
    await rows('SELECT member_id::int AS member, address FROM deposit_address WHERE key_index IN (0, 60)'),
  ).toEqual([
    { member: 0, address: depositAddress(XPUB, 0) },
    { member: 60, address: depositAddress(XPUB, 60) },
  ])
  const forged = await rows(
    'SELECT member_id::int AS member FROM deposit_address WHERE key_index IS NULL ORDER BY 1',
  )
  expect(forged).toEqual([{ member: 7 }, { member: 999_999 }])
})

it('derives more once less than half of them is left', async () => {
  const before = (await indexes()).length
  const claim = (count: number) =>
    rows(
      'UPDATE deposit_address SET member_id = 10000 + key_index WHERE key_index IN (SELECT key_index FROM deposit_address WHERE member_id IS NULL ORDER BY key_index LIMIT $1)',
      [count],
    )
  await claim(AHEAD / 2 - 60)
  await fill()
  expect((await indexes()).length).toBe(before)
  await claim(200)
  await fill()
  expect((await readStock(db)).unclaimed).toBeGreaterThanOrEqual(STOCK_AHEAD)
})

it('derives no further while it is told to stop, and several at once store each address once', async () => {
  const { derived } = await readStock(db)
  const stopped = new AbortController()
  stopped.abort()
  await rows('UPDATE deposit_address SET passed_over = true WHERE member_id IS NULL')
  await fill(stopped.signal)
  expect((await readStock(db)).derived).toBe(derived)
  await Promise.all([fill(), fill()])
  const all = await indexes()
  expect(all.map(({ index }) => index)).toEqual(all.map((_, place) => place))
  expect((await readStock(db)).unclaimed).toBeGreaterThanOrEqual(STOCK_AHEAD)
})

it('stores nothing of another index than the next, and derives none beyond the last number', async () => {
  const { derived } = await readStock(db)
  expect(await storeAddresses(db, derived + 5n, [stranger])).toBe(derived)
  expect(deriveAddresses(KEYS, 2n ** 31n - 1n, 5n)).toHaveLength(1)
})
