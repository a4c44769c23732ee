import { readFile } from 'node:fs/promises'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { createMoneyFixture } from '../../../testing/money-fixture.ts'
import { type Client, freshCode, join, PROBLEM, signedIn, TEST_PASSWORD } from '../../../testing/server.ts'
import { soundSuiteFixture } from '../../../testing/suite.ts'
import { activateMaster } from '../../genealogy/genealogy.commands.ts'
import { beginTotpSetup } from '../second-factor/totp-setup.commands.ts'
import { mailsTo } from '../testing/member-fixture.ts'
import { jsonOf, zipOf } from './own-data.queries.ts'
import { OWN_LISTS } from './own-data.sql.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { server, db } = money
await money.fund('commission', '5000')
await money.fund('profit', '5000')

const own = {
  username: 'ana',
  email: 'ana@own.example',
  firstName: '=cmd|calc',
  lastName: 'Paz',
  phoneNumber: '+584140000001',
}
const ana = await join(server, own, server.rootId, money.now)
const luis = await join(
  server,
  { username: 'luis', email: 'luis@first.example', phoneNumber: '+584140000002' },
  ana,
  money.now,
)
const eva = await join(
  server,
  { username: 'eva', email: 'eva@second.example', phoneNumber: '+584140000003' },
  luis,
  money.now,
)
await money.invest(ana, '1000')
await money.owner.updateTable('member').set({ is_fundator: true }).where('id', '=', ana).execute()
await money.within((tx) => activateMaster(tx, ana, luis, money.now))
await money.invest(luis, '1000')
await money.invest(eva, '2000.123456')
await money.payDay(3)
await money.invoiceOver(ana, '500')
const client = await signedIn(server, ana)
await client.post('support/messages/', { text: 'When, "exactly"?\nThanks' })
await client.post('auth/token/', { email: 'ana', password: 'wrong-password' })
await query(money.owner)`INSERT INTO passkey (member_id, credential_id, public_key, algorithm, name, made_at)
  VALUES (${ana}, 'credential', 'publickey', -7, 'My phone', now())`

const download = (who: Client, kind: 'json' | 'csv', body: object = {}, headers = {}) =>
  who.post(`privacy/data/${kind}/`, { current_password: TEST_PASSWORD, ...body }, headers)
/** The files of an archive as text. */
const filesIn = (archive: Uint8Array): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(archive)).map(([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')]),
  )

const AGAIN = 'what another list says, in another form'
const PROOF = 'hashes and proofs, which are secrets or mean nothing to a person'
/** Tables with a column `member_id` that no list reads, and why. */
const NOT_GIVEN: Readonly<Record<string, string>> = {
  approval_row: 'what operators signed',
  closed_account: 'of accounts that nobody signs in to',
  custody_holding: 'the company’s own figures',
  downline_recent: 'a place in an index of the trees',
  email_code: PROOF,
  factor_release: AGAIN,
  former_operator: 'who worked for the company',
  guesses_told: AGAIN,
  idempotency_response: AGAIN,
  invoice_key: AGAIN,
  lost_payment: AGAIN,
  master_code: AGAIN,
  // A file of its own.
  member_avatar: AGAIN,
  member_identifier: AGAIN,
  member_nonce: PROOF,
  member_view: 'for 90 days, that operators looked; the trail has it for good',
  operator_change: 'who was asked to work for the company',
  otp_challenge: PROOF,
  otp_tries: PROOF,
  outgoing_transfer: AGAIN,
  passkey_challenge: PROOF,
  passkey_owner: PROOF,
  password_reset: PROOF,
  principal_movement: AGAIN,
  recovery_code: PROOF,
  referral_earned: AGAIN,
  refresh_token: PROOF,
  support_thread: AGAIN,
  transfer_review: 'what operators noted about a transfer',
  unconfirmed_transfer: 'a minute later it is a deposit, or nothing',
  withdrawal_approval: 'what operators signed',
  withdrawal_delay: 'what holds up the company’s transfers',
  withdrawal_proof: PROOF,
}

const json = await download(client, 'json')
const data = json.json()
const csv = await download(client, 'csv')
const files = filesIn(csv.rawPayload)

describe('everything that is kept about a member', () => {
  it('comes as JSON, a list each, amounts as text and dates in UTC', () => {
    expect(json).toAnswer(200)
    expect(json.headers['content-disposition']).toMatch(/attachment; filename="aval-\d{4}-\d\d-\d\d\.json"/)
    expect(json.headers['cache-control']).toBe('no-store')
    expect(Object.keys(data)).toEqual([
      'made_at',
      'picture_webp_base64',
      ...OWN_LISTS.map(({ name }) => name),
    ])
    expect(data).toMatchObject({
      profile: [{ username: 'ana', email: own.email, sponsor: 'Raíz', is_fundator: true }],
      settings: [
        { locale: 'es', placement_side: 'weaker', two_factor_since: null, only_passkey_moves_money: false },
      ],
      balances: [{ investment: '1000.00', pending: '0.00', owed: '0.00' }],
      pending_investments: [
        { amount: '1000.00', state: 'paid' },
        { amount: '500.00', state: 'open', received: '0.00' },
      ],
      referrals: [{ username: 'luis', email: 'luis@first.example', active: true, is_master_code: true }],
      passkeys: [{ name: 'My phone', used_at: null }],
      chat_messages: [{ from: 'member', text: 'When, "exactly"?\nThanks' }],
      mails: expect.any(Array),
    })
    expect(data.daily_payments).toHaveLength(3)
    expect(data.commissions).toMatchObject([
      { kind: 'direct', from_username: 'luis', level: 1, amount: '50.00' },
      { from_username: 'eva', level: 2, basis: '2000.123456' },
    ])
    expect(data.movements.length).toBeGreaterThan(5)
    expect(data.sessions).toHaveLength(1)
  })

  it('comes as a ZIP archive of the same lists in CSV', () => {
    expect(csv).toAnswer(200)
    expect(csv.headers['content-type']).toBe('application/zip')
    expect(Object.keys(files)).toEqual(OWN_LISTS.map(({ name }) => `${name}.csv`))
    for (const list of OWN_LISTS) {
      const [header = ''] = (files[`${list.name}.csv`] ?? '').split('\r\n')
      expect(header).toBe(`\uFEFF${Object.keys(list.columns).join(',')}`)
    }
    expect(files['movements.csv']?.trimEnd().split('\r\n')).toHaveLength(data.movements.length + 1)
  })

  it('holds no cell that a spreadsheet takes for a formula', () => {
    expect(files['profile.csv']).toContain(`,'=cmd|calc,Paz,+584140000001,`)
    expect(files['chat_messages.csv']).toContain('"When, ""exactly""?\nThanks"')
  })

  it('holds no secret, no hash, and of others below the first level nothing but the username', async () => {
    const everything = [json.body, ...Object.values(files)].join('\n')
    const { password_hash } = await db
      .selectFrom('member')
      .select('password_hash')
      .where('id', '=', ana)
      .executeTakeFirstOrThrow()
    const tokens = await query<{ token_hash: string }>(
      db,
    )`SELECT token_hash FROM known_device UNION SELECT token_hash FROM refresh_token`
    for (const secret of [
      password_hash,
      'argon2',
      'credential',
      'publickey',
      ...tokens.map(({ token_hash }) => token_hash),
    ])
      expect(everything).not.toContain(secret)
    for (const contact of ['eva@second.example', '+584140000003']) expect(everything).not.toContain(contact)
    expect(everything).toContain('luis@first.example')
  })

  it('names the subjects of mails in the language they were sent in', () => {
    const subjects = data.mails.map(({ subject }: { subject: string }) => subject)
    for (const subject of subjects) expect(subject).not.toBe('')
  })

  it('covers every table that has a member’s rows, or says why not', async () => {
    const tables = await query<{ name: string }>(
      money.owner,
    )`SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attname = 'member_id' ORDER BY 1`
    const read = OWN_LISTS.map((list) => list.rows(ana).compile(db).sql).join('\n')
    const left = tables.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(read))
    expect(left).toEqual(Object.keys(NOT_GIVEN))
    // What each is, and for how long it is kept, is written down.
    const written = await readFile(
      new URL('../../../../../../docs/security/data.md', import.meta.url),
      'utf8',
    )
    for (const { name } of tables) expect(written).toContain(`\`${name}\``)
  })
})

describe('a download', () => {
  it('takes the present password, and a code where two-factor is on', async () => {
    expect(await download(client, 'json', { current_password: 'not-mine' }, PROBLEM)).toRefuse(
      422,
      'current_password_wrong',
    )
    const other = await join(server, {}, server.rootId, money.now)
    const theirs = await signedIn(server, other)
    await beginTotpSetup(server.context, other, TEST_PASSWORD, new Date())
    await query(db)`UPDATE member_totp SET confirmed_at = now() WHERE member_id = ${other}`
    expect(await download(theirs, 'csv', {}, PROBLEM)).toRefuse(403, 'otp_required')
    const otp = await freshCode(server, theirs.headers)
    expect(await download(theirs, 'csv', { otp })).toAnswer(200)
  })

  it('is in the member’s log, and in an e-mail', async () => {
    expect((await mailsTo(server, ana)).at(-1)).toMatchObject({ template: 'data_downloaded', to: own.email })
    const events = (await client.get('auth/security-events/')).json().results
    expect(events.filter(({ kind }: { kind: string }) => kind === 'data_downloaded')).toHaveLength(2)
  })

  it('is read a thousand rows at a time, each once, however many there are', async () => {
    const busy = await join(server, {}, server.rootId, money.now)
    await query(money.owner)`INSERT INTO failed_try (member_id, hour, kind, network, count, last_at)
      SELECT ${busy}, date_trunc('hour', now(), 'UTC') - make_interval(hours => n), 'sign_in_failed', '', n, now() FROM generate_series(1, 2500) n`
    const chunks: string[] = []
    for await (const chunk of jsonOf(db, busy, money.now)) chunks.push(chunk)
    const { failed_tries: tries } = JSON.parse(chunks.join(''))
    expect(new Set(tries.map(({ count }: { count: number }) => count)).size).toBe(2500)
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(300_000)
    const archive: Uint8Array[] = []
    for await (const chunk of zipOf(db, busy)) archive.push(chunk)
    expect(filesIn(Buffer.concat(archive))['failed_tries.csv']?.trimEnd().split('\r\n')).toHaveLength(2501)
  })
})
