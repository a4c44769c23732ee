/**
 * The destination of mail when there is no mail server, for development: a folder with a file for each message. A file has
 * the name of its message, so a message delivered twice is there once.
 */
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { OutgoingMail } from './transport.ts'

const FOLDER = 'outbox'
const NAME = /^\d{8}T\d{9}Z-\d{1,19}-\d{1,19}$/
const ENDING = '.eml'

/** `20260503T150000000Z-<member>-<message>`: begins with when it was asked for, so that names sort by age. */
function nameOf({ createdAt, memberId, id }: Pick<OutgoingMail, 'createdAt' | 'memberId' | 'id'>): string {
  return `${createdAt.toISOString().replace(/[-:.]/g, '')}-${memberId}-${id}`
}

/** Written under another name and renamed, so that no reader sees a part of a message. */
export async function storeInOutbox(dataDir: string, mail: OutgoingMail): Promise<void> {
  const folder = join(dataDir, FOLDER)
  const name = nameOf(mail)
  const draft = join(folder, `.${name}.draft`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(mail.raw)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, join(folder, `${name}${ENDING}`))
}

export interface StoredMail {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly messageId: string
  /** When it was asked for. */
  readonly at: Date
  readonly text: string
  readonly html: string
}

/** Of messages of the same instant the one with the higher number is newer. */
function newerFirst(left: string, right: string): number {
  const [a = '', , idA = '0'] = left.split('-')
  const [b = '', , idB = '0'] = right.split('-')
  if (a !== b) return a < b ? 1 : -1
  return BigInt(idA) < BigInt(idB) ? 1 : -1
}

async function namesIn(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(absent)
  return (files ?? [])
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .filter((name) => NAME.test(name))
    .sort(newerFirst)
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** A message by its name; null where there is none. */
export async function readStored(dataDir: string, name: string): Promise<StoredMail | null> {
  if (!NAME.test(name)) return null
  const raw = await readFile(join(dataDir, FOLDER, `${name}${ENDING}`)).catch(absent)
  if (raw === null) return null
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(raw)
  return {
    name,
    from: mail.from?.address ?? '',
    to: mail.to?.[0]?.address ?? '',
    subject: mail.subject ?? '',
    messageId: mail.messageId ?? '',
    at: new Date(mail.date ?? 0),
    text: mail.text ?? '',
    html: mail.html ?? '',
  }
}

/** @param to only messages to this address, whatever its case; the same limit counts messages looked at */
export async function readOutbox(dataDir: string, limit: number, to?: string): Promise<StoredMail[]> {
  const names = (await namesIn(join(dataDir, FOLDER))).slice(0, limit)
  const kept: StoredMail[] = []
  for (const name of names) {
    const mail = await readStored(dataDir, name)
    if (mail !== null && (to === undefined || mail.to.toLowerCase() === to.toLowerCase())) kept.push(mail)
  }
  return kept
}
