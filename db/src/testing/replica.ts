/** A stand-by of an embedded database, for tests: copied while the primary works, then following its log. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { handOver, startEmbedded } from '../embedded.ts'
import { connectReplication, copyBase } from '../replication.ts'

/** @param superuserUrl of the primary, which must have `wal_level=replica` */
export async function startReplica(superuserUrl: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'aval-replica-'))
  const dir = join(dataDir, 'postgres')
  await mkdir(dir, { mode: 0o700 })
  const tar = spawn('tar', ['-x', '-C', dir], { stdio: ['pipe', 'inherit', 'inherit'] })
  const closed = once(tar, 'close')
  const replication = await connectReplication(superuserUrl)
  // As fast as it comes: a database of tests fits in memory.
  const take = (chunk: Buffer) => {
    tar.stdin.write(chunk)
    return null
  }
  await copyBase(replication, take, () => undefined)
  await replication.end()
  tar.stdin.end()
  await closed
  const { hostname: host, port, username: user, password } = new URL(superuserUrl)
  const source = `host=${host} port=${port} user=${user} password=${password}`
  await writeFile(join(dir, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  await writeFile(join(dir, 'standby.signal'), '')
  await handOver(dir)
  const running = await startEmbedded({
    dataDir,
    // That of the primary, which says who signs in here as well.
    password: decodeURIComponent(password),
    flags: ['fsync=off', 'max_wal_senders=4', `cluster_name=replica_${randomBytes(4).toString('hex')}`],
  })
  return {
    ...running,
    async stop() {
      await running.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
