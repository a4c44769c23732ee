/** A development chain, a database with withdrawals, a signer, and gateways that crash when a test wants it. */
import { connect, type Database } from '@aval/db'
import { type DevnetNode, startDevnet } from '@aval/devnet'
import { createNodeClient, DEVNET, depositAddress, type TronAddress } from '@aval/tron'
import { nodesOf } from '../chain/nodes.ts'
import type { Log } from '../core/log.ts'
import { tokenBalance } from '../outgoing/prepare.ts'
import { createAcceptor } from '../signer/approvals/accept.ts'
import type { OwnChain } from '../signer/policy.rules.ts'
import { identityOf } from '../signer/rounds.ts'
import { createSight } from '../signer/sight/sight.ts'
import { createSigner } from '../signer/signer.ts'
import { KEYS, LIMITS } from '../signer/testing/fixtures.ts'
import { openMemoryJournal } from '../signer/testing/journals.ts'
import { createApprovers } from './approvers.ts'
import { createGateway, fixedContext, type Gateway, type GatewayOptions, HOT_WALLET } from './gateway.ts'
import { createInstallation } from './suite.ts'

export const USDT_UNIT = 1_000_000n
const XPUB = DEVNET.xpub

/** Member n's deposit address, whose key the signer has. */
export const depositOf = (member: number) => depositAddress(XPUB, member)
/** A wallet that is not ours; the same for the same number. */
export const walletOf = (number: number) => depositAddress(XPUB, 1_000_000 + number)

interface TransferRow {
  readonly txid: string
  readonly purpose: string
  readonly state: string
  readonly withdrawal: number | null
  readonly to: string
  readonly amount: string
  readonly arrived: string | null
  readonly result: string | null
  readonly reply: string | null
  readonly broadcasts: number
  readonly seen: number | null
  readonly fee: string | null
}

/** With `hot` micro-USDT in the hot wallet from the start. */
export async function createOutgoingHarness(
  adminUrl: string,
  { hot, nodes = 1 }: { readonly hot: bigint; readonly nodes?: number },
) {
  const members = Array.from({ length: 12 }, (_, member) => [member, depositOf(member)] as const)
  const installation = await createInstallation(adminUrl, XPUB, members)
  const { database, log } = installation
  const gatewayDb = connect(database.gatewayUrl, 8)
  const signerDb = connect(database.signerUrl, 4)
  const chain = await startChain(nodes)
  const { devnet, now } = chain
  const approving = await startApproving(installation.rows, signerDb.db, log, now)
  const { policy, journal } = approving
  const { seeing, connectNode } = nodesOfSigner(chain, nodes)
  const shared = { keys: KEYS, policy: () => ({ ...policy, ...seeing }), journal, log, now }
  const sight = createSight({ ...shared, devnetUrl: null, connect: connectNode })
  const signer = createSigner({ ...shared, db: signerDb.db, sight, limits: LIMITS })
  await devnet.wallet.pay('demoWallet', HOT_WALLET, hot)
  await chain.mine(5)
  const clients = () => devnet.nodes.map(chain.clientOf)
  const gateway = (given: GatewayOptions = {}) =>
    createGateway({ clients: clients(), gatewayDb, signer, log, now }, given)
  const queries = createQueries(installation.rows, approving)
  let wallets = 0
  const newWallet = () => {
    wallets += 1
    return walletOf(wallets)
  }
  const first = gateway()
  await first.follow()
  await first.custody()
  return {
    ...chain,
    ...queries,
    ...following(chain, queries.transfers),
    ...installation,
    gatewayDb,
    signer,
    /** The signer reads what it was asked about. */
    look: () => sight.step(),
    /** The nodes of the key file. */
    seeing,
    journal,
    /** The key file's, and whom it pins. */
    policy,
    approvers: approving.approvers,
    gateway,
    /** For offline export and import. */
    offline: () => ({ ...fixedContext(log), db: gatewayDb.db, nodes: nodesOf(clients()) }),
    /** A wallet that no other withdrawal goes to. */
    newWallet,
    /** Approves 101 USDT to a new wallet, and runs a round, so that the nodes have it. */
    async sent() {
      const to = newWallet()
      const id = await queries.approve(to, 101n * USDT_UNIT)
      const running = gateway()
      await running.round()
      return { id, to, gateway: running }
    },
    async close() {
      await devnet.close()
      await gatewayDb.close()
      await signerDb.close()
      await installation.close()
    },
  }
}

/** The signer's own: all of the chain's, which have to agree. */
function nodesOfSigner({ devnet, clientOf }: Awaited<ReturnType<typeof startChain>>, quorum: number) {
  const chain: OwnChain = { nodes: devnet.nodes.map(({ url }) => ({ url, headers: {} })), quorum }
  const connectNode = ({ url }: { readonly url: string }) => {
    const node = devnet.nodes.find((each) => each.url === url)
    if (node === undefined) throw new Error(`there is no node at ${url}`)
    return clientOf(node)
  }
  return { seeing: { chain }, connectNode }
}

/** Follows a withdrawal's transfers through rounds and blocks. */
function following(
  { mine }: Awaited<ReturnType<typeof startChain>>,
  transfers: ReturnType<typeof createQueries>['transfers'],
) {
  return {
    states: async (withdrawal: number) => (await transfers(withdrawal)).map(({ state }) => state),
    /** Time passes until delays are checked again. */
    later: () => mine(3),
    /** Rounds and blocks until the last transfer of the withdrawal has settled or failed, or so many rounds are over. */
    async finish(running: Gateway, withdrawal: number, rounds = 12) {
      for (let round = 0; round < rounds; round += 1) {
        await running.round()
        await mine()
        const last = (await transfers(withdrawal)).at(-1)
        if (last?.state === 'settled' || last?.state === 'failed') return last
      }
      return (await transfers(withdrawal)).at(-1)
    },
  }
}

/** A chain on a clock that only the test moves. */
async function startChain(nodes: number) {
  let clock = Date.UTC(2030, 5, 1, 12)
  const devnet = await startDevnet({ memory: true, solidLag: 3, now: () => clock, nodes })
  const clientOf = (node: DevnetNode) =>
    createNodeClient({ url: node.url, fetch: node.fetch, timeoutMs: 2_000 })
  const node = clientOf(devnet.nodes[0])
  /** Makes this many blocks, each a second after the one before. */
  const mine = async (blocks = 1) => {
    for (let made = 0; made < blocks; made += 1) {
      clock += 1_000
      await devnet.mine(1)
    }
  }
  return {
    devnet,
    node,
    clientOf,
    now: () => new Date(clock),
    mine,
    /** Advances the clock without a block, then makes enough blocks for one of the later time to be solid. */
    async advance(seconds: number) {
      clock += seconds * 1_000
      await mine(5)
    },
    balance: (address: TronAddress) => tokenBalance(node, DEVNET.usdt, address, 'head'),
  }
}

type Rows = Awaited<ReturnType<typeof createInstallation>>['rows']

const OPERATOR = 901n

/** An operator with a passkey, who approves what a test asks for, and the signer's part that accepts it. */
async function startApproving(rows: Rows, db: Database, log: Log, now: () => Date) {
  const approvers = createApprovers(rows, [OPERATOR], () => now().getTime())
  await approvers.register()
  // One approves any amount here.
  const policy = { ...approvers.policy, needed: [{ from: 0n, operators: 1 }] }
  const { journal } = await openMemoryJournal(identityOf(KEYS, policy))
  const acceptor = createAcceptor({ db, network: 'devnet', policy: () => policy, journal, log, now })
  return {
    approvers,
    policy,
    journal,
    /** For a machine without a network: it waits until it is exported. */
    async submitOffline(withdrawal: number): Promise<void> {
      const request = { expiresAt: now().getTime() + 20 * 3_600_000 }
      await approvers.submit(OPERATOR, await approvers.shown([withdrawal]), { request })
    },
    async approve(withdrawal: number): Promise<void> {
      const verdict = await acceptor.decide(
        await approvers.submit(OPERATOR, await approvers.shown([withdrawal])),
      )
      if (verdict !== 'accepted') throw new Error(`the approval was refused: ${verdict}`)
    },
  }
}

function createQueries(rows: Rows, approving: Awaited<ReturnType<typeof startApproving>>) {
  return {
    /** An approved withdrawal of `amount` micro-USDT, of which 1 USDT is the fee; its number. */
    async approve(to: TronAddress, amount: bigint, member = 1, how: 'approve' | 'submitOffline' = 'approve') {
      const [made] = await rows<{ id: string }>(
        `INSERT INTO withdrawal (member_id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed, plan_version,
           hold_journal_id, requested_at) VALUES ($1, $2, 1000000, $2, 0, $3, 0, 1, 1, now()) RETURNING id`,
        [member, amount, to],
      )
      const id = Number(made?.id)
      await approving[how](id)
      return id
    },
    /** An operator refuses it after all. */
    refuse: (withdrawal: number) =>
      rows("UPDATE withdrawal SET state = 'refused', closed_at = now(), close_journal_id = 1 WHERE id = $1", [
        withdrawal,
      ]),
    transfers: (withdrawal?: number) =>
      rows<TransferRow>(
        `SELECT txid, purpose, state, withdrawal_id::int AS withdrawal, to_address AS to, amount, arrived, result, reply, broadcasts,
           seen_block::int AS seen, fee_sun AS fee
         FROM outgoing_transfer WHERE $1::bigint IS NULL OR withdrawal_id = $1 ORDER BY prepared_at, txid`,
        [withdrawal ?? null],
      ),
    /** What delays one withdrawal, or all of them (0). */
    async delayOf(withdrawal: number) {
      const [delay] = await rows<{ code: string }>(
        'SELECT code FROM withdrawal_delay WHERE withdrawal_id = $1',
        [withdrawal],
      )
      return delay?.code ?? null
    },
  }
}
