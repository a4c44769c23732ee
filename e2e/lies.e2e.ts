/**
 * A server that lies in front of honest operators. Their page, their passkeys and the signer are as they are; what lies are the
 * process that serves the list, and the database's owner.
 */
import { expect, type Page, type Route, test } from '@playwright/test'
import pg from 'pg'
import { runningIn } from '../tools/supervisor/run-file.ts'
import { codeByMail } from '../tools/testing/client.ts'
import { journeyApprovalsUrl, journeyDataDir } from '../tools/testing/journey-place.ts'
import { superuserUrl } from '../tools/testing/superuser.ts'
import { until } from '../tools/testing/until.ts'
import { addAuthenticator } from './authenticator.ts'
import { openAs, product } from './fixture.ts'
import { addPasskey, switchOn } from './member-keys.ts'
import { approveFound, operatorWithKey } from './operator-keys.ts'
import { askFor, newMember } from './payees.ts'

test.describe.configure({ mode: 'serial' })

/** A wallet that nobody asked to be paid to. */
const THIEF = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

let owner: pg.Client
let approvals: pg.Client
let olga: Page
let omar: Page
test.beforeAll(async ({ browser }) => {
  const { databases } = await runningIn(journeyDataDir)
  owner = new pg.Client({ connectionString: await superuserUrl(journeyDataDir) })
  approvals = new pg.Client({ connectionString: databases.approvals })
  await Promise.all([owner.connect(), approvals.connect()])
  olga = await operatorWithKey(browser, 'olga')
  omar = await operatorWithKey(browser, 'omar')
})
/** A lie that is under way ends first. */
const honest = (page: Page) => page.unrouteAll({ behavior: 'wait' })
test.afterEach(() => Promise.all([honest(olga), honest(omar)]))
test.afterAll(() => Promise.all([owner.end(), approvals.end()]))

/** Changes rows as nobody but a superuser can, whatever the triggers say. */
async function falsify(statement: string, values: unknown[]): Promise<void> {
  await owner.query('BEGIN')
  await owner.query("SET LOCAL session_replication_role = 'replica'")
  await owner.query(statement, values)
  await owner.query('COMMIT')
}

interface Withdrawal {
  readonly id: string
  readonly member: string
  readonly state: string
}

async function withdrawalsOf(username: string): Promise<readonly Withdrawal[]> {
  const { rows } = await owner.query<Withdrawal>(
    `SELECT w.id, w.member_id AS member, w.state FROM withdrawal w JOIN member m ON m.id = w.member_id
     WHERE m.username = $1 ORDER BY w.id`,
    [username],
  )
  return rows
}

const setWallet = (id: string, wallet: string) =>
  falsify('UPDATE withdrawal SET wallet_address = $2 WHERE id = $1', [id, wallet])

/** Why signatures for this member were refused, each once. */
async function refusedSignatures(username: string): Promise<string[]> {
  const { rows } = await owner.query<{ code: string }>(
    `SELECT DISTINCT e.details->>'code' AS code FROM audit_event e
     JOIN outgoing_transfer t ON e.subject = 'outgoing_transfer:' || t.txid JOIN member m ON m.id = t.member_id
     WHERE e.action = 'outgoing_transfer.sign' AND e.outcome = 'refused' AND m.username = $1`,
    [username],
  )
  return rows.map(({ code }) => code)
}

/** Nothing of this member's was ever signed, and nothing was ever meant for the thief. */
async function expectNothingSigned(username: string): Promise<void> {
  const { rows } = await owner.query(
    `SELECT t.txid FROM outgoing_transfer t JOIN member m ON m.id = t.member_id
     WHERE t.signature IS NOT NULL AND (m.username = $1 AND t.purpose = 'withdrawal' OR t.to_address = $2)`,
    [username, THIEF],
  )
  expect(rows).toEqual([])
}

interface Listed {
  rows: Record<string, unknown>[]
}

/** Serves the list with changes of the liar's own. */
const tellList = (page: Page, lie: (list: Listed) => Listed) =>
  page.route('**/api/list/', async (route: Route) => {
    const answer = await route.fetch({ headers: { ...route.request().headers(), 'if-none-match': '' } })
    await route.fulfill({ response: answer, json: lie((await answer.json()) as Listed) })
  })

interface Submitted extends Listed {
  readonly operator: string
  readonly expires_at: number
  readonly nonce: string
  readonly root: string
  readonly proof: object
}

/** Stores what was signed as a list of more rows, as a thief in the page's process can. */
async function submitWithMore({ rows, ...signed }: Submitted, more: Listed['rows']): Promise<string> {
  const all = [...rows, ...more]
  const column = (name: string) => all.map((row) => row[name])
  const { rows: made } = await approvals.query<{ id: string }>(
    `SELECT submit_approval($1, 'withdrawals', 'devnet', $2, $3, $4, $5, $6, $7, $8, $9, $10) AS id`,
    [
      signed.operator,
      signed.nonce,
      new Date(signed.expires_at),
      signed.root,
      JSON.stringify(signed.proof),
      ...['id', 'member', 'amount', 'fee', 'wallet'].map(column),
    ],
  )
  return made[0]?.id ?? ''
}

const rowsOf = (list: Listed, username: string) => list.rows.filter((row) => row['username'] === username)

/** Until the process, which keeps its list for a second, lists what this member asked for last. */
const untilListed = (username: string, isListed: (rows: Listed['rows']) => boolean) =>
  until(`${username} is listed`, async () => {
    const list: Listed = await (await olga.request.get(`${journeyApprovalsUrl}/api/list/`)).json()
    return isListed(rowsOf(list, username))
  })

/** Approves what the page shows of a member after it has read the list again. */
async function approve(page: Page, username: string): Promise<void> {
  await page.reload()
  await approveFound(page, username, 1)
}

async function expectRefused(page: Page, sentence: string): Promise<void> {
  await expect(page.getByText('El firmante la rechazó')).toBeVisible()
  await expect(page.getByText(sentence)).toBeVisible()
}

test('a list that shows another amount or wallet than was asked for approves neither', async () => {
  await askFor(1, 'liedto')
  const lies: readonly ((row: Record<string, unknown>) => Record<string, unknown>)[] = [
    (row) => ({ ...row, amount: '49000000' }),
    (row) => ({ ...row, wallet: THIEF }),
  ]
  for (const lie of lies) {
    await tellList(olga, (list) => ({ ...list, rows: rowsOf(list, 'liedto').map(lie) }))
    await approve(olga, 'liedto')
    await expectRefused(olga, 'La lista no es como la que está guardada')
    await honest(olga)
  }
  expect((await withdrawalsOf('liedto')).map(({ state }) => state)).toEqual(['requested'])
})

test('a row that was hidden from the operator is not approved with those that were shown', async () => {
  await askFor(2, 'hiddenpayee')
  await untilListed('hiddenpayee', ({ length }) => length === 2)
  let hidden: Listed['rows'] = []
  await tellList(olga, (list) => {
    const [first, ...others] = rowsOf(list, 'hiddenpayee')
    hidden = others.map(({ member_id: member, ...row }) => ({ ...row, member }))
    return { ...list, rows: first === undefined ? [] : [first] }
  })
  await olga.route('**/api/approvals/', async (route) => {
    const signed = route.request().postDataJSON() as Submitted
    await route.fulfill({ json: { id: await submitWithMore(signed, hidden) } })
  })
  await approve(olga, 'hiddenpayee')
  await expectRefused(olga, 'La lista llegó distinta de como se firmó.')
  expect((await withdrawalsOf('hiddenpayee')).map(({ state }) => state)).toEqual(['requested', 'requested'])
})

test('a wallet that changes between two operators is paid by neither of them', async () => {
  const wallet = await askFor(1, 'swappedwallet', 1_000)
  const [withdrawal] = await withdrawalsOf('swappedwallet')
  const id = withdrawal?.id ?? ''
  await approve(olga, 'swappedwallet')
  await expect(olga.getByText('El firmante la aceptó')).toBeVisible()
  await setWallet(id, THIEF)
  await untilListed('swappedwallet', ([row]) => row?.['wallet'] === THIEF)
  await approve(omar, 'swappedwallet')
  await until('the signer has refused', async () => (await refusedSignatures('swappedwallet')).length > 0)
  expect(await refusedSignatures('swappedwallet')).toEqual(['row_differs'])
  await expectNothingSigned('swappedwallet')
  await setWallet(id, wallet)
})

test('lists of approvals that were swapped stand for nothing', async () => {
  await askFor(2, 'swappedlists', 1_000)
  await untilListed('swappedlists', ({ length }) => length === 2)
  const [one, two] = await withdrawalsOf('swappedlists')
  const approveOne = async (page: Page, at: 0 | 1) => {
    await tellList(page, (list) => ({ ...list, rows: rowsOf(list, 'swappedlists').slice(at, at + 1) }))
    await approve(page, 'swappedlists')
    await expect(page.getByText('El firmante la aceptó')).toBeVisible()
  }
  await approveOne(olga, 0)
  // What olga approved is said to have been the other one.
  const swap = (from: string, to: string) =>
    falsify(
      `UPDATE approval_row r SET withdrawal_id = w.id, amount = w.amount FROM withdrawal w
       WHERE w.id = $2 AND r.withdrawal_id = $1 AND w.member_id = r.member_id`,
      [from, to],
    )
  await swap(one?.id ?? '', two?.id ?? '')
  await falsify(
    `INSERT INTO withdrawal_approval (member_id, withdrawal_id, operator_id, at)
     SELECT v.member_id, $2, v.operator_id, v.at FROM withdrawal_approval v WHERE v.withdrawal_id = $1`,
    [one?.id, two?.id],
  )
  await approveOne(omar, 1)
  await until('the signer has refused', async () => (await refusedSignatures('swappedlists')).length > 0)
  expect(await refusedSignatures('swappedlists')).toEqual(['list_differs'])
  await expectNothingSigned('swappedlists')
})

test('a member’s passkey that was deleted from the database is asked for all the same', async ({ page }) => {
  const { client, wallet } = await newMember('deletedkey', 500)
  await openAs(page, client, '/security')
  await addAuthenticator(page)
  await addPasskey(page, 'Llavero')
  await switchOn(page, 'Llavero')
  const rename = (from: string, to: string) =>
    falsify(
      `UPDATE member_key SET member_id = ${to} * member_id WHERE member_id = ${from} * (SELECT id FROM member WHERE username = $1)`,
      ['deletedkey'],
    )
  await rename('1', '-1')
  await client.post('withdrawals/withdrawals/create-code/', { amount: '50', wallet_address: wallet })
  const code = await codeByMail(product, 'deletedkey@example.com', 'retirar $50,00')
  const body = { amount: '50', wallet_address: wallet, used_code: code }
  expect((await client.post('withdrawals/withdrawals/', body)).status).toBe(201)
  await approve(olga, 'deletedkey')
  await until('the signer has refused', async () => (await refusedSignatures('deletedkey')).length > 0)
  expect(await refusedSignatures('deletedkey')).toEqual(['member_key_missing'])
  await expectNothingSigned('deletedkey')
  await rename('-1', '-1')
})
