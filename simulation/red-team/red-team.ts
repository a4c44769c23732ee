/**
 * The red team: a house in which there is something to steal, and for each database role one who tries everything with it. What the
 * processes read of each other is tried in tools/supervisor/permissions.test.ts, what a server could tell the signer in
 * apps/gateway/src/signer/lies.db.test.ts.
 */
import { inTransaction } from '@aval/db'
import pg from 'pg'
import { applyChanges, invite } from '../../apps/server/src/features/identity/operators/changes.commands.ts'
import { newTotpSecret } from '../../apps/server/src/features/identity/second-factor/totp.ts'
import { assignTotpSecret } from '../../apps/server/src/features/identity/second-factor/totp-setup.commands.ts'
import { checkIntegrity } from '../../apps/server/src/features/integrity/integrity.commands.ts'
import { createWithdrawalFixture } from '../../apps/server/src/features/withdrawals/testing/withdrawal-fixture.ts'
import { join, type TestServer } from '../../apps/server/src/testing/server.ts'
import { attack, type Outcome, ROLES, type Role } from './attack.ts'
import { type Attempt, attemptsOn } from './attempts.sql.ts'

const START = '2026-05-03T15:00:00Z'

export interface Loot {
  readonly ownerUrl: string
  readonly urls: Readonly<Record<Role, string>>
  /** What the check of the ledger and the comparison with the migrations say. */
  faults(): Promise<readonly string[]>
  close(): Promise<void>
}

/** Money in every account, withdrawals in every stage, a run that is held, one that is being paid, and what waits for its job. */
export async function openHouse(adminUrl: string): Promise<Loot> {
  const money = await createWithdrawalFixture(adminUrl, START)
  await money.openWallets('10000')
  await money.fund('profit', '1')
  await money.fund('commission', '1000')
  const sponsor = await money.investor('1000')
  const investor = await money.investor('600', sponsor)
  await money.payDay()
  const ana = await money.withdrawer('2000')
  const operatorId = await money.operator()
  await inviteSomebody(money.server, operatorId, sponsor)
  await money.place(ana, '50')
  const approved = await money.place(ana, '60')
  await money.approve(approved, operatorId)
  await money.prepare(approved)
  await money.approve(await money.place(ana, '70'), operatorId)
  await money.invoiceOver(investor, '700')
  await money.receive(investor, '100')
  await money.arrive(ana.id, '3000')
  const { database } = money.server
  return {
    ownerUrl: database.ownerUrl,
    urls: {
      api: database.apiUrl,
      worker: database.workerUrl,
      gateway: database.gatewayUrl,
      signer: database.signerUrl,
      approvals: database.approvalsUrl,
      auditor: database.auditorUrl,
    },
    faults: async () => [...(await money.faults()), ...(await checkIntegrity(money.db, new Date()))],
    close: money.close,
  }
}

/** An operator without much power, and an invitation whose link somebody could use: rights that are worth stealing. */
async function inviteSomebody(server: TestServer, admin: bigint, invited: bigint): Promise<void> {
  await join(server, { operatorRole: 'support' })
  await assignTotpSecret(server.context, invited, newTotpSecret(), new Date())
  await inTransaction(server.context.db, (tx) =>
    invite(tx, { by: admin, memberId: invited, role: 'admin' }, new Date()),
  )
  await applyChanges(server.worker, new Date())
}

export interface Report {
  readonly role: Role
  readonly outcome: Outcome
  readonly faults: readonly string[]
}

/** One role after the other, each in a house of its own. @param calls how often each function is called, by each role */
export async function attackAll(
  adminUrl: string,
  options: { seed: number; calls: number; roles?: readonly Role[]; tell?: (report: Report) => void },
): Promise<Report[]> {
  const reports: Report[] = []
  for (const role of options.roles ?? (Object.keys(ROLES) as Role[])) {
    const house = await openHouse(adminUrl)
    try {
      const attempts = await asOwner(house.ownerUrl, (owner) => attemptsOn(owner, options))
      const outcome = await attack(role, house.ownerUrl, house.urls[role], attempts)
      const { tells } = ROLES[role]
      const faults = (await house.faults()).filter((line) => tells === null || !tells.test(line))
      const report = { role, outcome, faults }
      options.tell?.(report)
      reports.push(report)
    } finally {
      await house.close()
    }
  }
  return reports
}

async function asOwner(ownerUrl: string, work: (owner: pg.Client) => Promise<Attempt[]>): Promise<Attempt[]> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  return work(owner).finally(() => owner.end())
}
