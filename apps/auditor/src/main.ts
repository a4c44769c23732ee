/** The auditor's process. It tells the process that started it `{ready}` or `{fatal: line}` and ends with it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@aval/db'
import { createAuditor } from './auditor.ts'
import { type Config, readConfig } from './config.ts'
import { follow, type Say } from './follow.ts'
import { VERSION } from './plan.rules.ts'

const STOP_MS = 1_500
/** One computes, one says, one hears. */
const CONNECTIONS = 3

const say: Say = (level, event, fields = {}) => {
  process.stdout.write(
    `${JSON.stringify({ at: new Date().toISOString(), level, part: 'auditor', event, ...fields })}\n`,
  )
}
/** A full disk, or a reader that went away, takes log lines and not the process. */
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

const tell = (message: object): void => {
  if (process.connected) process.send?.(message)
}

async function run(config: Config): Promise<void> {
  const stop = new AbortController()
  const stopping = (why: string) => () => {
    say('info', 'stopping', { why })
    setTimeout(() => process.exit(0), STOP_MS).unref()
    stop.abort()
  }
  process.once('SIGTERM', stopping('SIGTERM'))
  process.once('SIGINT', stopping('SIGINT'))
  process.once('disconnect', stopping('the starting process is gone'))
  const connection = connect(config.databaseUrl, CONNECTIONS, 'aval auditor')
  const auditor = createAuditor(connection.db)
  let isReady = false
  const ready = () => {
    if (isReady) return
    isReady = true
    say('info', 'started', { version: VERSION })
    tell({ ready: true })
  }
  await follow(connection, auditor.step, { say, stopped: stop.signal, ready })
  await Promise.race([connection.close(), sleep(STOP_MS)])
  process.exit(0)
}

const result = readConfig()
if (result.ok) await run(result.config)
else {
  process.stderr.write(`${result.problems.join('\n')}\n`)
  tell({ fatal: result.problems.join('\n') })
  // The message is on its way.
  process.once('disconnect', () => process.exit(1))
  setTimeout(() => process.exit(1), STOP_MS)
}
