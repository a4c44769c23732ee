/**
 * Fills the local demo with its network and its thirty days, and tells the sign-ins. The parent process is sent
 * `{progress}` lines and `{signIns}`, and asked by `{approvers}` to let operators approve, which it answers by `{pinned}`; the sign-ins are kept in `demo.json` of the data folder, which says that it is done.
 * A demo of an earlier version keeps its history and its passwords, and gets what it lacks.
 */
import { once } from 'node:events'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '@aval/db'
import { z } from 'zod'
import { readConfig, readDemoPassword } from '../config.ts'
import { demoClock } from '../core/context.ts'
import { enlistOperators, seedDemo } from '../features/demo/seeding.commands.ts'
import { hashPassword } from '../features/identity/members/password-hash.ts'

const config = readConfig()
const connection = connect(config.databaseUrl, 4, 'aval-seed-demo')
const context = { db: connection.db, clock: demoClock(connection.db), config }
const file = join(config.dataDir, 'demo.json')
const kept = z.object({ signIns: z.array(z.object({ password: z.string() })).min(1) })

/** What the members of a demo that is there already sign in with; null where there is none yet. */
async function keptPassword(): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text === '' ? null : (kept.parse(JSON.parse(text)).signIns[0]?.password ?? null)
}

const answer = z.object({ pinned: z.boolean() })

/** Without a parent nobody writes key files. */
async function pinApprovers(approvers: readonly string[]): Promise<boolean> {
  if (process.send === undefined) return false
  process.send({ approvers })
  const [message] = await once(process, 'message')
  return answer.parse(message).pinned
}

try {
  const before = await keptPassword()
  const password = before ?? readDemoPassword()
  const passwordHash = await hashPassword(password)
  if (before === null)
    await seedDemo(context, passwordHash, {
      onDay: (done, total) => {
        process.send?.({ progress: { done, total, label: 'days of demo history' } })
      },
      pinApprovers,
    })
  const operators = await enlistOperators(context, passwordHash)
  const signIns = [
    { role: 'member', username: 'ana', password },
    { role: 'fundator', username: 'luis', password },
    ...operators.map((operator) => ({ role: 'operator', password, ...operator })),
  ]
  await writeFile(`${file}.new`, `${JSON.stringify({ signIns }, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  process.send?.({ signIns })
} finally {
  await connection.close()
}
if (process.connected) process.disconnect()
