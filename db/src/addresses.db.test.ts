import { afterAll, describe, expect, inject, it } from 'vitest'
import { openRoles, refusal } from './testing/roles.ts'

/** Whose a deposit address is, and who says so. */
const { roles, value, close } = await openRoles(inject('ownerUrl'))
afterAll(close)

const { owner, api, worker, gateway, signer, server } = roles
/** Of the right form; the database knows no keys. */
const addressOf = (index: number) =>
  `T${String(index + 1)
    .replaceAll('0', 'z')
    .padStart(33, 'A')}`
const from = (first: number, count: number) =>
  Array.from({ length: count }, (_, place) => addressOf(first + place))
const HOT = `T${'H'.repeat(33)}`
const THIEF = `T${'X'.repeat(33)}`
const DENIED = '42501'

/** Answers the next index. */
const store = (first: number, derived: readonly string[], by = signer) =>
  by
    .query('SELECT store_deposit_addresses($1, $2) AS next', [first, derived])
    .then(({ rows }) => Number(rows[0].next))
const claim = (member: string | number, role = api) =>
  role
    .query('SELECT claim_deposit_address($1) AS address', [member])
    .then(({ rows }) => rows[0].address as string | null)
const stock = async () => {
  const { rows } = await api.query(
    'SELECT derived::int, unclaimed::int, underived::int FROM deposit_address_stock()',
  )
  return rows[0]
}
let joined = 0
async function member(): Promise<string> {
  joined += 1
  const { rows } = await owner.query(
    `INSERT INTO member (username, email, password_hash, ref_code, first_name, last_name, locale, terms_accepted_at, joined_at)
     VALUES ($1, $1, 'x', $2, '', '', 'es', now(), now()) RETURNING id`,
    [`m${joined}`, String(1_000_000 + joined)],
  )
  return rows[0].id
}
let arrived = 0
/** What the gateway records of it; null where it is refused. */
async function arrive(to: string, value = 7) {
  arrived += 1
  const txid = arrived.toString(16).padStart(64, '0')
  await gateway.query(
    "SELECT record_incoming_transfer($1, 0, 9, now(), 'credit', 'usdt', 'sender', $2, $3)",
    [txid, to, value],
  )
  const { rows } = await owner.query(
    'SELECT member_id, verdict, role FROM incoming_transfer WHERE txid = $1',
    [txid],
  )
  return rows[0]
}

await owner.query(
  "INSERT INTO installation (network, usdt_contract, deposit_xpub) VALUES ('devnet', 'x', 'x')",
)
await owner.query("SELECT register_custody($1, 'hot', 0, 1)", [HOT])
// As an older version left them: the address of member 1 is the one of index 1; member 2 has a thief's, member 3 the hot wallet.
const [first, second, third] = [await member(), await member(), await member()]
await owner.query('INSERT INTO deposit_address (address, member_id) VALUES ($1, $2), ($3, $4), ($5, $6)', [
  addressOf(1),
  first,
  THIEF,
  second,
  HOT,
  third,
])

describe('an address that an older version stored', () => {
  it('counts for nothing until the signer has derived it', async () => {
    expect(await stock()).toMatchObject({ derived: 0, unclaimed: 0, underived: 3 })
    expect(await refusal(arrive(addressOf(1)))).toBe('P0002')
    expect(await claim(first)).toBeNull()
  })

  it('keeps its member once it is derived, and the company has the first', async () => {
    expect(await store(0, from(0, 20))).toBe(20)
    expect(await stock()).toMatchObject({ derived: 20, unclaimed: 18, underived: 0 })
    expect(await claim(first)).toBe(addressOf(1))
    expect(
      await value('owner', 'SELECT member_id FROM deposit_address WHERE address = $1', [addressOf(0)]),
    ).toBe('0')
    expect(await arrive(addressOf(1))).toMatchObject({ member_id: first, verdict: 'credit' })
  })

  it('of a thief is watched by nobody, and is not given to its member', async () => {
    expect(await refusal(arrive(THIEF))).toBe('P0002')
    expect(await claim(second)).toBeNull()
  })

  it('that is the hot wallet credits no member', async () => {
    expect(await arrive(HOT)).toEqual({ member_id: '0', verdict: 'credit', role: 'hot' })
  })
})

describe('what the signer derives', () => {
  it('goes on where it ended; from another index nothing is stored', async () => {
    expect(await store(20, from(20, 5))).toBe(25)
    expect(await store(20, from(40, 5))).toBe(25)
    expect(await store(30, from(30, 5))).toBe(25)
    expect(await stock()).toMatchObject({ derived: 25 })
  })

  it.each([
    ['an address that is there already', from(24, 1), 'deposit_address_pkey'],
    ['one of them twice', [addressOf(25), addressOf(25)], 'deposit_address_pkey'],
    ['the hot wallet', [HOT], 'deposit_address_of_no_wallet'],
    ['what is no address', ['0x'], 'deposit_address_form'],
  ])('is refused whole where it has %s', async (_what, derived, constraint) => {
    await expect(store(25, derived)).rejects.toMatchObject({ constraint })
    expect(await stock()).toMatchObject({ derived: 25 })
  })

  it('is stored once by several signers at a time', async () => {
    expect(await Promise.all([signer, owner].map((by) => store(25, from(25, 50), by)))).toEqual([75, 75])
    expect(await stock()).toMatchObject({ derived: 75 })
  })
})

describe('a claim', () => {
  it('gives each member one address for good, however many ask at once', async () => {
    const members: string[] = []
    while (members.length < 20) members.push(await member())
    const asked = [api, worker, server].map(async (session) => {
      const given: (string | null)[] = []
      for (const each of members) given.push(await claim(each, session))
      return given
    })
    const [given = [], ...others] = await Promise.all(asked)
    expect(new Set(given).size).toBe(20)
    expect(others).toEqual([given, given])
  })

  it('waits for no other member’s', async () => {
    const [one, other] = [await member(), await member()]
    await api.query('BEGIN')
    await claim(one)
    const given = await claim(other, worker)
    await api.query('ROLLBACK')
    expect(given).not.toBeNull()
    expect(await claim(one)).not.toBe(given)
  })

  it('is of a member who is there, and takes nothing that came to somebody before', async () => {
    await expect(claim(9_999)).rejects.toMatchObject({ code: '23503' })
    const next = await value(
      'owner',
      'SELECT address FROM deposit_address WHERE member_id IS NULL AND NOT passed_over ORDER BY key_index LIMIT 1',
    )
    expect(await arrive(String(next))).toEqual({ member_id: '0', verdict: 'unclaimed', role: 'deposit' })
    expect(await value('owner', 'SELECT count(*) FROM custody_holding WHERE address = $1', [next])).toBe('0')
    expect(await claim(await member())).not.toBe(next)
  })

  it('gets nothing that a restored database may have forgotten, and null when none is left', async () => {
    await owner.query('SELECT begin_restoration(now(), false)')
    await owner.query('SELECT begin_restoration(now(), false)')
    expect(await stock()).toMatchObject({ unclaimed: 0 })
    const waiting = await member()
    expect(await claim(waiting)).toBeNull()
    expect(await store(75, from(75, 1))).toBe(76)
    expect(await claim(waiting)).toBe(addressOf(75))
  })
})

describe('a thief with the role of', () => {
  const steps: [string, string, unknown[]][] = [
    [
      'registers a wallet of their own',
      'INSERT INTO deposit_address (address, member_id) VALUES ($1, 2)',
      [THIEF],
    ],
    [
      'registers the hot wallet',
      'INSERT INTO deposit_address (address, member_id, key_index) VALUES ($1, 2, 900)',
      [HOT],
    ],
    [
      'gives a member another address',
      'UPDATE deposit_address SET address = $1 WHERE member_id = 1',
      [THIEF],
    ],
    [
      'gives an address to another member',
      'UPDATE deposit_address SET member_id = 2 WHERE member_id = $1',
      [1],
    ],
    ['drops an address', 'DELETE FROM deposit_address WHERE member_id = $1', [1]],
    ['derives', 'SELECT store_deposit_addresses(76, $1)', [[THIEF]]],
    ['puts another key in', 'UPDATE installation SET deposit_xpub = $1', ['xpub']],
  ]
  describe.each([
    ['api', api],
    ['worker', worker],
    ['gateway', gateway],
  ] as const)('%s', (_name, role) => {
    it.each(steps)('%s in vain', async (_what, statement, values) => {
      expect(await refusal(role.query(statement, values))).toBe(DENIED)
    })
  })

  it('gateway claims none, and records nothing at a thief’s address', async () => {
    expect(await refusal(claim(first, gateway))).toBe(DENIED)
    expect(await refusal(arrive(`T${'Q'.repeat(33)}`))).toBe('P0002')
  })
})
