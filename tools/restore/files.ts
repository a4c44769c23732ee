/** What a backup holds besides the database: secrets, the key file, the development chain. Never the signer's journal. */
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { type Part, readPart, writePart } from '../backup/parts.ts'
import type { Key } from '../backup/sealing.ts'
import { tarOf, untar } from '../backup/tar.ts'
import type { StartConfig } from '../core/config.ts'
import { codeOf, Refusal } from '../core/refusal.ts'

const CHAIN = 'devnet/chain.sqlite'
/** Of the data folder, as far as they are there. */
const OWN = ['secrets.json', 'demo.json', 'keys/signer.json']
/** The key file of SIGNER_KEYS, which lies anywhere. */
const GIVEN_KEYS = 'signer-keys.json'

export type Places = Pick<StartConfig, 'dataDir'> & { readonly keyFile: string | null }

export async function writeFiles(part: string, { dataDir, keyFile }: Places, key: Key): Promise<Part> {
  const temporary = await mkdtemp(join(tmpdir(), 'aval-backup-'))
  try {
    const files = OWN.map((name) => [name, join(dataDir, name)] as const)
    if (keyFile !== null) files.push([GIVEN_KEYS, keyFile])
    if (existsSync(join(dataDir, CHAIN))) {
      const copy = join(temporary, 'chain.sqlite')
      await copyChain(join(dataDir, CHAIN), copy)
      files.push([CHAIN, copy])
    }
    const content = Readable.from(tarOf(files.filter(([, path]) => existsSync(path))), { objectMode: false })
    return await writePart(part, content, key)
  } finally {
    await rm(temporary, { recursive: true })
  }
}

const COPIES = 50

/**
 * While the chain goes on, whose process lets nobody else read: the file, and after it what is not in the file yet. The copy is whole
 * where the file stayed as it was meanwhile; it changes every few seconds at most.
 */
async function copyChain(from: string, to: string): Promise<void> {
  const stateOf = async () => {
    const { mtimeMs, size } = await stat(from)
    return `${mtimeMs} ${size}`
  }
  for (let left = COPIES; left > 0; left -= 1) {
    const before = await stateOf()
    await copyFile(from, to)
    await copyFile(`${from}-wal`, `${to}-wal`).catch((error: unknown) => {
      // It was stopped, and has put everything into the file.
      if (codeOf(error) !== 'ENOENT') throw error
    })
    if (before !== (await stateOf())) continue
    const copy = new DatabaseSync(to)
    try {
      copy.exec('pragma wal_checkpoint(truncate)')
      const checked = copy.prepare('pragma integrity_check').get()
      if (checked?.['integrity_check'] === 'ok') return
    } finally {
      copy.close()
    }
  }
  throw new Refusal('The development chain changes too fast to be copied: try again.')
}

export const readFiles = (part: string, expected: Part, key: Key, folder: string): Promise<void> =>
  readPart(part, expected, key, (content) => untar(content, folder))

/** Whether the chain of the development network would come from the backup too. */
export const bringsChain = (dataDir: string): boolean => !existsSync(join(dataDir, CHAIN))

/** @throws Refusal where the folder has secrets of another installation: the database would open with neither */
export async function compareSecrets(folder: string, dataDir: string): Promise<void> {
  const present = await readFile(join(dataDir, 'secrets.json'), 'utf8').catch(() => null)
  if (present === null || present === (await readFile(join(folder, 'secrets.json'), 'utf8'))) return
  throw new Refusal(`${join(dataDir, 'secrets.json')} is not the one of the backup: move it away first.`)
}

/**
 * Puts the files where they belong. What is there already stays: the chain and the keys are never rolled back.
 * @returns what stayed
 */
export async function installFiles(folder: string, { dataDir, keyFile }: Places): Promise<string[]> {
  const stayed: string[] = []
  for (const name of await namesIn(folder)) {
    const to = name === GIVEN_KEYS ? keyFile : join(dataDir, name)
    if (to === null) continue
    if (existsSync(to)) stayed.push(to)
    else {
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      await rename(join(folder, name), to)
    }
  }
  return stayed
}

async function namesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).sort()
  const kinds = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).isFile()))
  return names.filter((_, at) => kinds[at])
}
