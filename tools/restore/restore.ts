/** Restoring a backup into the data folder, and the drill that only proves that it could be. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Backup, findBackup, openStore, type Store } from '../backup/store.ts'
import type { StartConfig } from '../core/config.ts'
import { Refusal } from '../core/refusal.ts'
import { lockDataFolder } from '../supervisor/lock.ts'
import { bringsChain, compareSecrets, installFiles, type Places } from './files.ts'
import { type Recovered, recover, type Until } from './recover.ts'
import { beginRestoration, type Restoration } from './restoration.sql.ts'

export interface Output {
  readonly say: (line: string) => void
  readonly progress: (done: number, total: number) => void
}

interface Chosen {
  readonly store: Store
  readonly backup: Backup
}

async function choose(folder: string, config: StartConfig, to: Date | null): Promise<Chosen> {
  const store = await openStore(folder, config.backup.passphrase)
  return { store, backup: await findBackup(store, to) }
}

export const placesOf = ({ dataDir, custody }: StartConfig): Places => ({
  dataDir,
  keyFile: custody.signer.keyFile,
})

/**
 * Everything is done in a folder beside and checked; the data folder is touched last. Of what it has already, nothing is replaced.
 *
 * @param to the moment to go back to; null: the last one that is known
 * @throws Refusal with the one clear line
 */
export async function restore(
  folder: string,
  config: StartConfig,
  to: Date | null,
  { say, progress }: Output,
): Promise<Recovered> {
  const chosen = await choose(folder, config, to)
  const { dataDir } = config
  await mkdir(dataDir, { recursive: true })
  const lock = await lockDataFolder(dataDir, 'a restore')
  try {
    if (existsSync(join(dataDir, 'postgres')))
      throw new Refusal(
        `There is a database in ${dataDir} already: move ${join(dataDir, 'postgres')} away, or choose another DATA_DIR.`,
      )
    const until = untilOf(config, to, say)
    const lookAt = (files: string) => compareSecrets(files, dataDir)
    const options = { ...chosen, until, within: dataDir, lookAt, say, progress }
    const recovered = await recover(options, (url) => beginRestoration(url, restorationOf(config)))
    try {
      if (!recovered.isClean)
        throw new Refusal(`The ledger of this backup is not clean:\n${recovered.report}`)
      await install(recovered, config, say)
      return recovered
    } finally {
      await recovered.remove()
    }
  } finally {
    await lock.release()
  }
}

/** What of the settings a restored database has to know. */
export function restorationOf({ network, custody }: StartConfig): Restoration {
  const settings: Readonly<Record<string, string>> = custody.gateway
  const given = Number(settings['TRANSFER_SECONDS'])
  const usual = network === 'devnet' ? 60 : 600
  return { transferSeconds: given > 0 ? given : usual, hasSigner: custody.signer.mode === 'on' }
}

/** A development chain that is gone is the backup's: a database of later would have read blocks that it does not have. */
function untilOf({ network, dataDir }: StartConfig, to: Date | null, say: Output['say']): Until {
  if (to !== null) return to
  if (network !== 'devnet' || !bringsChain(dataDir)) return 'end'
  say('The development chain is gone too: both come back as they were when the backup was made.')
  return 'backup'
}

async function install({ folder }: Recovered, config: StartConfig, say: Output['say']): Promise<void> {
  const { dataDir } = config
  const files = join(folder, 'files')
  const stayed = await installFiles(files, placesOf(config))
  if (stayed.length > 0) say(`These were there and stayed: ${stayed.join(', ')}.`)
  await rename(join(folder, 'postgres'), join(dataDir, 'postgres'))
}

export interface Drilled extends Recovered {
  readonly backup: Backup
}

/** The newest backup with all of the log, in a folder that goes again. @throws Refusal with the one clear line */
export async function drill(
  folder: string,
  config: StartConfig,
  { say, progress }: Output,
): Promise<Drilled> {
  const chosen = await choose(folder, config, null)
  const within = await mkdtemp(join(tmpdir(), 'aval-drill-'))
  try {
    const recovered = await recover({ ...chosen, until: 'end', within, say, progress }, async () => undefined)
    return { ...recovered, backup: chosen.backup }
  } finally {
    await rm(within, { recursive: true, force: true, maxRetries: 3 })
  }
}
