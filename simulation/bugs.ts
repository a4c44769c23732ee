/**
 * Bugs of the kinds that lose money, to be planted on purpose: an auditor that finds none of them is none. Each takes away
 * what stands in its way, in the process and in the database, as a mistaken change would.
 */
import { devnetKey, type NodeClient, signTransaction } from '@aval/tron'
import type { SignerPort } from '../apps/gateway/src/signer/socket.ts'
import type { Parts } from './gateway.ts'
import type { World } from './world.ts'

export const BUGS = ['sign-twice', 'credit-at-the-head', 'trust-the-reply', 'skip-the-hold'] as const
export type Bug = (typeof BUGS)[number]

export const asIs: Parts = { nodes: (node) => node, signer: (signer) => signer }

export function partsOf(world: World, bug?: Bug): Parts {
  switch (bug) {
    case undefined:
    case 'skip-the-hold':
      return asIs
    case 'credit-at-the-head':
      return { ...asIs, nodes: headIsSolid }
    case 'sign-twice':
      return { ...asIs, signer: (signer) => carelessSigner(world, signer) }
    case 'trust-the-reply':
      return { ...asIs, nodes: (node) => believed(world, node) }
    default:
      return bug satisfies never
  }
}

/** What the newest block says is taken for final. */
function headIsSolid(node: NodeClient): NodeClient {
  return {
    ...node,
    solidBlock: () => node.headBlock(),
    block: (number) => node.block(number, 'head'),
    blockReceipts: (number) => node.blockReceipts(number, 'head'),
  }
}

/** Signs every withdrawal it is asked for, without a look at what was signed before. */
function carelessSigner(world: World, careful: SignerPort): SignerPort {
  return {
    async sign(txid) {
      const { rows } = await world.owner.query<{ raw: Uint8Array }>(
        "SELECT raw FROM outgoing_transfer WHERE txid = $1 AND purpose = 'withdrawal'",
        [txid],
      )
      const raw = rows[0]?.raw
      if (raw === undefined) return careful.sign(txid)
      const { signature } = signTransaction(Uint8Array.from(raw), devnetKey('hotWallet'))
      await world.owner.query('SELECT sign_outgoing_transfer($1, $2, 9000000000000)', [txid, signature])
      return { signed: true, signature }
    },
  }
}

/** "SUCCESS" is taken for the transfer itself. */
function believed(world: World, node: NodeClient): NodeClient {
  return {
    ...node,
    async broadcast(hex) {
      const reply = await node.broadcast(hex)
      if (reply.accepted)
        await world.owner.query(
          `SELECT settle_outgoing_transfer(txid, $2, $3, true, 'SUCCESS', amount, 0) FROM outgoing_transfer
           WHERE txid = $1 AND state = 'signed' AND purpose = 'withdrawal'`,
          [reply.txid, world.devnet.chain.head().number, world.now()],
        )
      return reply
    },
  }
}

/** What a bug changes in the database, which would refuse it otherwise; a reset does not undo it. */
const DATABASE_CHANGES: Partial<Record<Bug, string>> = {
  // A transfer is given up on as soon as somebody says so, and the next one is made.
  'sign-twice': `
    CREATE OR REPLACE FUNCTION expire_outgoing_transfer(expired_txid text, on_network text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      UPDATE outgoing_transfer SET state = 'expired', closed_at = clock_timestamp() WHERE txid = expired_txid AND state IN ('prepared', 'signed');
      RETURN FOUND;
    END $$;
    CREATE OR REPLACE FUNCTION impatience() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.reply IS DISTINCT FROM OLD.reply AND NEW.reply NOT LIKE '%SUCCESS%' AND NEW.purpose = 'withdrawal' THEN NEW.state := 'expired'; NEW.closed_at := now(); END IF;
      RETURN NEW;
    END $$;
    CREATE OR REPLACE TRIGGER impatience BEFORE UPDATE ON outgoing_transfer FOR EACH ROW EXECUTE FUNCTION impatience();`,
  // The request is written down, and nothing is taken for it.
  'skip-the-hold': `
    CREATE OR REPLACE FUNCTION no_hold() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.held > OLD.held THEN
        NEW.principal := OLD.principal;
        NEW.balance := OLD.balance;
        NEW.held := OLD.held;
      END IF;
      RETURN NEW;
    END $$;
    CREATE OR REPLACE TRIGGER no_hold BEFORE UPDATE ON member_balance FOR EACH ROW EXECUTE FUNCTION no_hold();`,
}

export async function plant(world: World, bug?: Bug): Promise<void> {
  const statement = bug === undefined ? undefined : DATABASE_CHANGES[bug]
  if (statement !== undefined) await world.owner.query(statement)
}
